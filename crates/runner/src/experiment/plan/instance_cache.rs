//! A cache of instances made from their content, shared by all workers, as many as fit: what an instance computes once, such as neighbour
//! lists, is then computed once and not in every run.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use evogrid_core::family::Instance;

/// The approximate bytes that all cached instances may take.
const ROOM: usize = 64 << 20;

/// What an instance takes besides its tables: bytes for each byte of its content, and the minimum.
const BYTES_PER_BYTE: usize = 16;
const BYTES_EACH: usize = 1024;

/// An instance that takes less is made again each time, which is fast: a million of them would only fill the cache.
const WORTH_KEEPING: usize = 16 << 10;

/// A cache of instances by their numbers.
#[derive(Default)]
pub(super) struct InstanceCache(Mutex<CachedInstances>);

#[derive(Default)]
struct CachedInstances {
    instances: BTreeMap<usize, (Arc<dyn Instance>, usize)>,
    /// Their numbers, those that came first in front.
    order: VecDeque<usize>,
    /// The bytes that they take, about.
    bytes: usize,
}

impl InstanceCache {
    /// The instance with this number: from the cache, or else from `make`.
    pub(super) fn get<E>(
        &self,
        number: usize,
        content: &str,
        make: impl FnOnce() -> Result<Box<dyn Instance>, E>,
    ) -> Result<Arc<dyn Instance>, E> {
        if let Some((instance, _)) = self.lock().instances.get(&number) {
            return Ok(Arc::clone(instance));
        }
        // Other workers are not kept waiting for what takes long.
        let made: Arc<dyn Instance> = make()?.into();
        let bytes = BYTES_EACH + BYTES_PER_BYTE * content.len() + made.memory();
        if bytes < WORTH_KEEPING {
            return Ok(made);
        }
        let mut cached = self.lock();
        // What another worker made meanwhile is shared by all.
        if let Some((instance, _)) = cached.instances.get(&number) {
            return Ok(Arc::clone(instance));
        }
        cached.bytes += bytes;
        cached.instances.insert(number, (Arc::clone(&made), bytes));
        cached.order.push_back(number);
        while cached.bytes > ROOM && cached.order.len() > 1 {
            let Some((_, bytes)) = cached.order.pop_front().and_then(|first| cached.instances.remove(&first)) else {
                break;
            };
            cached.bytes -= bytes;
        }
        Ok(made)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, CachedInstances> {
        // A panic while it is locked leaves nothing half done that matters.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use evogrid_core::algorithm::Solve;
    use evogrid_core::settings::Settings;

    use super::*;

    struct Large;

    impl Instance for Large {
        fn content(&self) -> String {
            String::new()
        }

        fn text(&self) -> String {
            String::new()
        }

        fn size(&self) -> String {
            String::new()
        }

        fn memory(&self) -> usize {
            ROOM / 4
        }

        fn prepare(&self, _: &Settings) -> Box<dyn Solve> {
            unreachable!("nothing is solved here")
        }
    }

    #[test]
    fn an_instance_is_made_once_while_there_is_room_for_it() {
        let cache = InstanceCache::default();
        let mut n_made = 0;
        let mut get = |number| {
            let make = || {
                n_made += 1;
                Ok::<Box<dyn Instance>, Infallible>(Box::new(Large))
            };
            let Ok(instance) = cache.get(number, "", make);
            (instance, n_made)
        };
        let first = get(0).0;
        assert!(Arc::ptr_eq(&first, &get(0).0));
        // Four have no room beside what each takes at least.
        assert_eq!((get(1).1, get(2).1, get(3).1), (2, 3, 4));
        assert_eq!(get(3).1, 4);
        assert!(!Arc::ptr_eq(&first, &get(0).0), "it had to make room");
    }
}
