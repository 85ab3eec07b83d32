//! Names from data as parts of file names.

/// The longest part, in bytes.
const PART_LENGTH: usize = 60;

/// A text in a form that is safe in file names: ASCII letters and digits, `-`, and `_` for every other character; long texts are cut.
/// Different texts may give the same result, so a number must be added to distinguish them.
///
/// No dot: readers look for endings anywhere in a path.
pub(super) fn safe(text: &str) -> String {
    let mut name = String::new();
    for character in text.chars() {
        if name.len() == PART_LENGTH {
            break;
        }
        if character.is_ascii_alphanumeric() || character == '-' {
            name.push(character);
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    let name = name.trim_matches('_');
    if name.is_empty() { "unnamed".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_stay_readable() {
        assert_eq!(safe("huke, population = 100"), "huke_population_100");
        assert_eq!(safe("easy-001"), "easy-001");
        assert_eq!(safe("../../etc/passwd.json"), "etc_passwd_json");
        assert_eq!([safe(""), safe(".."), safe("é")], ["unnamed"; 3]);
        assert_eq!(safe(&"x".repeat(1000)).len(), PART_LENGTH);
    }

    proptest! {
        #[test]
        fn no_name_leaves_its_folder(text in any::<String>()) {
            let name = safe(&text);
            prop_assert!((1..=PART_LENGTH).contains(&name.len()));
            prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{}", name);
        }
    }
}
