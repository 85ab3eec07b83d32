//! A cache of instances, shared by all workers. An instance computes some tables, such as neighbour lists, only once. All runs on a cached
//! instance share these tables.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use evogrid_core::family::Instance;

/// The approximate number of bytes that all cached instances may take.
const ROOM: usize = 64 << 20;

/// The bytes that an instance takes in addition to its tables: the number for each byte of its content, and the minimum.
const BYTES_PER_BYTE: usize = 16;
const BYTES_EACH: usize = 1024;

/// A smaller instance is not cached. Making it again is fast, and a million small instances would fill the cache.
const WORTH_KEEPING: usize = 16 << 10;

/// A cache of instances by their numbers.
#[derive(Default)]
pub(super) struct InstanceCache(Mutex<CachedInstances>);

#[derive(Default)]
struct CachedInstances {
    instances: BTreeMap<usize, Arc<dyn Instance>>,
    /// The approximate number of bytes that the instances take.
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
        if let Some(instance) = self.lock().instances.get(&number) {
            return Ok(Arc::clone(instance));
        }
        // The cache is not locked here: making an instance may take long.
        let made: Arc<dyn Instance> = make()?.into();
        let bytes = BYTES_EACH + BYTES_PER_BYTE * content.len() + made.memory();
        if bytes < WORTH_KEEPING {
            return Ok(made);
        }
        let mut cached = self.lock();
        // Another worker may have made the same instance in the meantime.
        if let Some(instance) = cached.instances.get(&number) {
            return Ok(Arc::clone(instance));
        }
        if cached.bytes + bytes > ROOM {
            *cached = CachedInstances::default();
        }
        cached.bytes += bytes;
        cached.instances.insert(number, Arc::clone(&made));
        Ok(made)
    }

    fn lock(&self) -> MutexGuard<'_, CachedInstances> {
        // A panic with the lock held cannot leave a state that matters.
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
        // The cache has room for three of them.
        assert_eq!((get(1).1, get(2).1, get(3).1), (2, 3, 4));
        assert_eq!(get(3).1, 4);
        assert!(!Arc::ptr_eq(&first, &get(0).0), "it had to make room");
    }
}
