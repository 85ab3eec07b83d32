//! Sentences about effects. Each sentence makes one claim.

use evogrid_results::format::{p_text, percent, printable};

use super::{Effects, Interaction, MainEffect};
use crate::ranking::{Responses, Unit};

/// The level of the tests.
const LEVEL: f64 = 0.05;

/// An interaction has a sentence if its share is at least this value, or if its p-value is below [`LEVEL`].
const SMALL_SHARE: f64 = 0.05;

/// The maximum number of interactions that have a sentence.
const MOST_INTERACTIONS: usize = 5;

impl Effects {
    /// The heading. It has the compared figure, and the numbers of configurations, instances and runs.
    pub(super) fn heading(&self) -> String {
        let (ranking, &Responses { unit, instances, .. }) = (&self.ranking, self.shared());
        let of = match unit {
            Unit::Solved => "the success rate",
            Unit::Gap => "the mean gap to the best known values",
            Unit::Deviation => "the distance from the best objective of all runs on the instance, in per cent",
            Unit::Rank => "the rank of a run on its instance (0 % is the best rank)",
        };
        let metric = if unit == Unit::Rank { format!(" by {}", ranking.metric.name()) } else { String::new() };
        let instances = if instances == 1 { "1 instance" } else { &format!("{instances} instances") };
        let (n, runs) = (ranking.rows.len(), ranking.rows.iter().map(|row| row.runs).sum::<usize>());
        format!("Effects on {of}{metric}: {n} configurations on {instances}, {runs} runs.")
    }

    /// Sentences about the settings that changed nothing.
    pub(super) fn unchanged_sentences(&self) -> Vec<String> {
        let sentence = |setting: &super::UnchangedSetting| {
            let pairs = if setting.pairs == 1 { "the 1 pair" } else { &format!("all {} pairs", setting.pairs) };
            format!(
                "{} changed nothing: {pairs} of runs that differ only in this setting had equal results. Check that the algorithm uses the setting.",
                printable(&setting.name)
            )
        };
        self.unchanged.iter().map(sentence).collect()
    }

    /// A sentence about the configurations that may be the best.
    pub(super) fn set_sentence(&self) -> String {
        let (rows, shared) = (&self.ranking.rows, self.shared());
        let about = if shared.is_by_instance { "on instances like these" } else { "on these instances" };
        let may_be_best = self.ranking.n_may_be_best().unwrap_or_default();
        let lead = match (may_be_best, rows.len()) {
            (1, _) => format!("The best configuration {about} is {} (95 % confidence)", printable(&rows[0].name)),
            (n, all) if n == all => format!("Any of the {n} configurations may be the best {about} (95 % confidence)"),
            (n, all) => {
                format!("{n} of the {all} configurations may be the best {about} (95 % confidence)")
            }
        };
        let shown = self.ranking.best().filter(|(row, _)| row.may_be_best == Some(true)).count();
        let hidden = may_be_best - shown;
        let more =
            if hidden > 0 { format!("; the table omits {hidden} of these configurations") } else { String::new() };
        let split = "split: the result on instances that were not used to choose the configuration. One half of the instances is for the choice, and the other half for the result";
        let split = if shared.instances == 1 { split.replace("instances", "repetitions") } else { split.to_owned() };
        format!("{lead}{more}. {split}.")
    }

    /// A sentence for each setting, and for each interaction that is large or significant.
    pub(super) fn setting_sentences(&self) -> Vec<String> {
        let Some(settings) = &self.settings else {
            return vec![
                "The configurations form no grid. Therefore the effects of single settings are unknown. Select configurations with `--where`, or group configurations with `--by`.".to_owned(),
            ];
        };
        let changed = |main: &&MainEffect| self.unchanged.iter().all(|one| one.name != main.name);
        let mut sentences: Vec<String> =
            settings.main.iter().filter(changed).map(|main| self.main_sentence(main)).collect();
        let shown = settings.interactions.iter().filter(|one| one.p_value < LEVEL || one.share >= SMALL_SHARE);
        sentences.extend(shown.take(MOST_INTERACTIONS).map(interaction_sentence));
        if !settings.interactions.is_empty() && settings.interactions.iter().all(|one| one.p_value >= LEVEL) {
            sentences.push("No test shows that two settings depend on each other.".to_owned());
        }
        sentences
    }

    fn main_sentence(&self, main: &MainEffect) -> String {
        let unit = self.shared().unit;
        let cost = |level: &&super::LevelEffect| unit.shown(level.mean);
        let by_cost = |one: &&super::LevelEffect, other: &&super::LevelEffect| cost(one).total_cmp(&cost(other));
        let name = |level: &super::LevelEffect| {
            let value = if level.level.is_empty() { "-" } else { &level.level };
            format!("{} ({})", printable(value), unit.text(level.mean))
        };
        let best = main.levels.iter().min_by(by_cost).map(name).unwrap_or_default();
        let worst = main.levels.iter().max_by(by_cost).map(name).unwrap_or_default();
        let told = if main.p_value < LEVEL { "" } else { "not distinguishable from chance: " };
        let (name, p) = (printable(&main.name), p_text(main.p_value));
        if self.settings.as_ref().is_some_and(|settings| settings.main.len() == 1) {
            return format!("{name}: {told}best {best}, worst {worst} ({p}).");
        }
        format!(
            "{name}: {told}best {best}, worst {worst} on average over the other settings ({p}). The setting explains {} % of the variance alone, and {} % with its interactions.",
            percent(main.share),
            percent(main.total_share)
        )
    }

    /// Notes that say how the figures were computed.
    pub(super) fn notes(&self) -> Vec<String> {
        let (mut notes, shared, n) = (Vec::new(), self.shared(), self.ranking.rows.len());
        if let Some(settings) = &self.settings {
            let blocks = if shared.is_by_instance { "instances" } else { "repetitions on these instances" };
            notes.push(format!(
                "Shares are parts of the variance of the configurations' means on the grid (functional ANOVA, exact). The variance from the random choice of {blocks} is subtracted from the shares. Intervals (95 %) and tests are computed over {blocks}. The p-values have Holm's correction."
            ));
            if settings.grid.cells.len() < n {
                let omitted = settings.grid.omitted.iter().map(|(name, levels)| {
                    let levels = levels.iter().map(|level| if level.is_empty() { "-" } else { level });
                    format!("{name} = {}", levels.collect::<Vec<_>>().join(" or "))
                });
                notes.push(
                    printable(&format!(
                        "The effects of settings use {} of the {} configurations. Without {}, these configurations form a complete grid.",
                        settings.grid.cells.len(),
                        n,
                        omitted.collect::<Vec<_>>().join("; ")
                    ))
                    .into_owned(),
                );
            }
        }
        if shared.omitted_instances > 0 {
            notes.push(format!(
                "{} instances are omitted. On each omitted instance, some configuration has no run with a value.",
                shared.omitted_instances
            ));
        }
        let failed: usize = self.ranking.rows.iter().map(|row| row.failed).sum();
        if failed > 0 {
            let counts = match shared.unit {
                Unit::Solved => "count as unsolved",
                Unit::Gap | Unit::Deviation => "have no value and are omitted",
                Unit::Rank => "rank last, or are omitted if they have no value",
            };
            notes.push(format!("{failed} runs failed: they {counts}."));
        }
        notes
    }
}

fn interaction_sentence(interaction: &Interaction) -> String {
    let [one, other] = interaction.names.each_ref().map(|name| printable(name));
    let told = if interaction.p_value < LEVEL { "depend" } else { "may depend" };
    format!(
        "{one} and {other} {told} on each other: the interaction explains {} % of the variance ({}).",
        percent(interaction.share),
        p_text(interaction.p_value)
    )
}
