# Success rate against a varied setting, by bucket, with 95 % intervals, from a summary.csv.
# usage: Rscript plot.R results/popsize/summary.csv population success.svg
library(ggplot2)
argument <- commandArgs(trailingOnly = TRUE)
rows <- subset(read.csv(argument[1], check.names = FALSE), bucket != "all")
rows$bucket <- factor(rows$bucket, levels = unique(rows$bucket))
chart <- ggplot(rows, aes(.data[[argument[2]]], 100 * success_rate, colour = bucket, shape = bucket)) +
  geom_errorbar(aes(ymin = 100 * success_low, ymax = 100 * success_high), width = 0) +
  geom_line() +
  geom_point(size = 2) +
  scale_colour_manual(values = c("#009E73", "#0072B2", "#E69F00", "#D55E00")) +
  labs(x = argument[2], y = "runs solved (%), 95 % interval") +
  theme_classic()
ggsave(argument[3], chart, width = 4.5, height = 3)
