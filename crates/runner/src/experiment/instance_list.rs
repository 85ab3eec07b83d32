//! Stores the names and the contents of many instances in little memory. The list makes the object of an instance only when this object is
//! needed. The object is made from the content of the instance.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use anyhow::{Context, Result, anyhow};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{BestKnown, Family, Instance, InstanceError};
use evogrid_core::identity::Fingerprint;
use evogrid_results::names::TextList;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use super::recorded_best_known;

/// A list of instances with their contents. The content of an instance is enough to repeat its runs. For example, an instance with 85 bytes
/// of content and 13 bytes of id takes 110 bytes of memory.
#[derive(Clone, Debug, Default)]
pub struct InstanceList {
    ids: TextList,
    contents: TextList,
    /// For each instance, the number of its group in `group_names`. A group is a family with a bucket.
    groups: Vec<u32>,
    /// The best known value of each instance; empty if no instance has a best known value.
    best_known: Vec<Option<BestKnown>>,
    /// The names of the problem families, in the order of the first instance of each family.
    problems: Vec<String>,
    group_names: Vec<InstanceGroup>,
    places: BTreeMap<InstanceGroup, u32>,
    /// The hash of each instance's content. The hashes are computed when the first hash is needed.
    fingerprints: OnceLock<Vec<Fingerprint>>,
}

/// The number of a problem family, and a difficulty bucket.
type InstanceGroup = (usize, String);

impl PartialEq for InstanceList {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// An instance of a list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ListedInstance<'l> {
    /// The best known value of the instance's objective.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "recorded_best_known::serialize")]
    pub best_known: Option<BestKnown>,
    /// The difficulty bucket of the instance; may be empty.
    pub bucket: &'l str,
    /// The canonical text of the instance.
    pub content: &'l str,
    /// The id of the instance.
    pub id: &'l str,
    /// The name of the problem family.
    pub problem: &'l str,
}

/// An instance with the fields of a [`ListedInstance`] that it owns.
#[derive(Deserialize)]
pub(crate) struct OwnedInstance {
    pub(crate) id: String,
    pub(crate) bucket: String,
    pub(crate) problem: String,
    pub(crate) content: String,
    #[serde(default, deserialize_with = "recorded_best_known::deserialize")]
    pub(crate) best_known: Option<BestKnown>,
}

impl OwnedInstance {
    pub(crate) fn listed(&self) -> ListedInstance<'_> {
        let Self { id, bucket, problem, content, best_known } = self;
        ListedInstance { best_known: *best_known, bucket, content, id, problem }
    }
}

impl InstanceList {
    /// Adds an instance.
    pub fn push(&mut self, instance: ListedInstance<'_>) {
        let ListedInstance { id, bucket, problem, content, best_known } = instance;
        let family = self.problems.iter().position(|known| known == problem).unwrap_or_else(|| {
            self.problems.push(problem.to_owned());
            self.problems.len() - 1
        });
        // Most instances belong to one of the first groups.
        let is_group = |(own, own_bucket): &InstanceGroup| own_bucket == bucket && *own == family;
        let near = self.group_names.iter().take(8).position(is_group).map(|place| place as u32);
        let group = near.unwrap_or_else(|| {
            let names = &mut self.group_names;
            *self.places.entry((family, bucket.to_owned())).or_insert_with_key(|group| {
                names.push(group.clone());
                names.len() as u32 - 1
            })
        });
        if best_known.is_some() || !self.best_known.is_empty() {
            self.best_known.resize(self.groups.len(), None);
            self.best_known.push(best_known);
        }
        self.ids.push(id);
        self.contents.push(content);
        self.groups.push(group);
        self.fingerprints.take();
    }

    /// The instance with this number, counted from 0.
    ///
    /// # Panics
    /// If there is no instance with this number.
    pub fn get(&self, number: usize) -> ListedInstance<'_> {
        let (family, bucket) = &self.group_names[self.groups[number] as usize];
        let problem = &self.problems[*family];
        let (id, content) = (self.ids.get(number), self.contents.get(number));
        let best_known = self.best_known.get(number).copied().flatten();
        ListedInstance { best_known, id, bucket, problem, content }
    }

    /// The number of instances.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there are no instances.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// All instances, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = ListedInstance<'_>> + Clone {
        (0..self.len()).map(|number| self.get(number))
    }

    /// Whether any instance has a best known value.
    pub fn has_best_known(&self) -> bool {
        !self.best_known.is_empty()
    }

    /// Whether both lists have the same instances, apart from their best known values.
    pub(crate) fn has_same_instances(&self, other: &Self) -> bool {
        let is_same = |(one, other): (ListedInstance<'_>, ListedInstance<'_>)| {
            ListedInstance { best_known: other.best_known, ..one } == other
        };
        self.len() == other.len() && self.iter().zip(other.iter()).all(is_same)
    }

    /// Returns the names of the problem families to which the instances belong. Each name occurs once. The families are ordered by the
    /// position of their first instance in the list.
    pub fn problems(&self) -> Vec<&str> {
        self.problems.iter().map(String::as_str).collect()
    }

    /// The index of an instance's family in the list of [`problems`](Self::problems).
    pub fn family(&self, number: usize) -> usize {
        self.group_names[self.groups[number] as usize].0
    }

    /// The hash of an instance's content, which must be the canonical text of the instance. The hashes are kept, so every call needs the
    /// same catalogue.
    ///
    /// # Panics
    /// If there is no instance with this number, or if the catalogue lacks a family.
    pub fn fingerprint(&self, number: usize, catalogue: &Catalogue) -> &Fingerprint {
        let versions = |problem: &String| {
            catalogue.family(problem).expect("the catalogue contains the problem family").declaration().versions()
        };
        let all = self.fingerprints.get_or_init(|| {
            let versions: Vec<_> = self.problems.iter().map(versions).collect();
            let contents = self.contents.iter().enumerate().map(|(at, content)| (self.family(at), content));
            let hash = |(family, content): (usize, &str)| {
                Fingerprint::of_instance(&self.problems[family], content).with_versions(&versions[family])
            };
            contents.map(hash).collect()
        });
        &all[number]
    }

    /// Returns the list with the canonical text of each instance as its content.
    ///
    /// # Errors
    /// If the catalogue does not have the family of an instance, or if an instance cannot be made from its content.
    pub fn canonical(list: &Arc<Self>, catalogue: &Catalogue) -> Result<Arc<Self>> {
        // A manifest that was written by hand may have another text for the same instance. The hash is of the canonical text.
        let canonical = |listed: ListedInstance<'_>| -> Result<String> { Ok(listed.restore(catalogue)?.1.content()) };
        let mut is_canonical = true;
        for listed in list.iter() {
            is_canonical &= canonical(listed)? == listed.content;
        }
        if is_canonical {
            return Ok(Arc::clone(list));
        }
        let mut all = Self::default();
        for listed in list.iter() {
            all.push(ListedInstance { content: &canonical(listed)?, ..listed });
        }
        Ok(all.into())
    }
}

/// Instances that can be found by their ids.
#[derive(Debug, Default)]
pub struct InstancesById {
    list: Arc<InstanceList>,
    /// The numbers of the instances, sorted by their ids.
    order: Vec<u32>,
}

impl InstancesById {
    /// The instances of a list.
    pub fn new(list: Arc<InstanceList>) -> Self {
        let mut order: Vec<u32> = (0..list.len() as u32).collect();
        order.sort_unstable_by_key(|&number| list.get(number as usize).id);
        Self { list, order }
    }

    /// The instance with this id.
    pub fn get(&self, id: &str) -> Option<ListedInstance<'_>> {
        let place = self.order.binary_search_by_key(&id, |&number| self.list.get(number as usize).id);
        place.ok().map(|place| self.list.get(self.order[place] as usize))
    }

    /// All instances, sorted by their ids.
    pub fn iter(&self) -> impl Iterator<Item = ListedInstance<'_>> {
        self.order.iter().map(|&number| self.list.get(number as usize))
    }
}

impl ListedInstance<'_> {
    /// Reads the instance, and returns it with its family.
    ///
    /// # Errors
    /// If the catalogue lacks the instance's family. If the family cannot read the content.
    pub fn restore<'c>(&self, catalogue: &'c Catalogue) -> Result<(&'c dyn Family, Box<dyn Instance>)> {
        let Self { id, problem, content, .. } = self;
        let family = catalogue.family(problem).with_context(|| format!("unknown problem `{problem}`"))?;
        let unreadable = |wrong: InstanceError| anyhow!("cannot read the instance `{id}`: {}", wrong.in_full());
        Ok((family, family.restore(content).map_err(unreadable)?))
    }
}

impl<'l> FromIterator<ListedInstance<'l>> for InstanceList {
    fn from_iter<I: IntoIterator<Item = ListedInstance<'l>>>(instances: I) -> Self {
        let mut list = Self::default();
        instances.into_iter().for_each(|instance| list.push(instance));
        list
    }
}

impl Serialize for InstanceList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for InstanceList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor { content_limit: usize::MAX }).map(|sample| sample.list)
    }
}

/// A list of instances for code that needs only some of them. If the list needs too much memory, only a part of its instances is kept.
#[derive(Clone, Debug, Default)]
pub struct InstanceSample {
    /// The instances that were kept. If the contents of the list are small, all instances are kept. If the contents are larger, only the
    /// instances at the start of the list are kept. The first instance of each family is always kept.
    pub list: InstanceList,
    /// The number of instances in the list before it was cut.
    pub n_instances: u64,
}

impl InstanceSample {
    /// The total size of the contents that are always held, in bytes.
    const CONTENT_LIMIT: usize = 8 << 20;

    /// Whether the sample contains all instances.
    pub fn is_whole(&self) -> bool {
        self.list.len() as u64 == self.n_instances
    }
}

impl<'de> Deserialize<'de> for InstanceSample {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor { content_limit: Self::CONTENT_LIMIT })
    }
}

/// Reads a list one instance after the other, and keeps instances until their contents have this number of bytes.
struct ListVisitor {
    content_limit: usize,
}

impl<'de> Visitor<'de> for ListVisitor {
    type Value = InstanceSample;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of instances")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<InstanceSample, A::Error> {
        let InstanceSample { mut list, mut n_instances } = InstanceSample::default();
        while let Some(owned) = sequence.next_element::<OwnedInstance>()? {
            n_instances += 1;
            if list.contents.n_bytes() <= self.content_limit || !list.problems().contains(&owned.problem.as_str()) {
                list.push(owned.listed());
            }
        }
        Ok(InstanceSample { list, n_instances })
    }
}

#[cfg(test)]
mod tests {
    use evogrid_core::family::Direction;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_list_is_read_back_as_it_was_written(
            instances in proptest::collection::vec(["[a-z\"\u{e4}]{0,4}", "[a-r]?", "[xy]", "\\PC{0,9}"], 0..60)
        ) {
            let mut list = InstanceList::default();
            let known = [None, Some(BestKnown { direction: Direction::Maximise, ..BestKnown::new(-0.1, false) })];
            for (number, [id, bucket, problem, content]) in instances.iter().enumerate() {
                let best_known = known[usize::from(content.len() > 4 + number)];
                list.push(ListedInstance { best_known, id, bucket, problem, content });
            }
            let fields = |listed: ListedInstance<'_>| {
                [listed.id, listed.bucket, listed.problem, listed.content].map(str::to_owned)
            };
            prop_assert!(list.iter().map(fields).eq(instances.iter().cloned()));
            let text = serde_json::to_string(&list).expect("no key but text");
            prop_assert_eq!(serde_json::from_str::<InstanceList>(&text).expect("it was written here"), list);
        }
    }
}
