# Success rate against a varied setting, a line a bucket, with 95 % intervals, from a summary.csv. R alone, no package.
# usage: Rscript plot.R results/popsize/summary.csv population success.svg [NAME=VALUE]...   (only rows with these values)
argument <- commandArgs(trailingOnly = TRUE)
if (length(argument) < 3) stop("usage: plot.R SUMMARY.csv SETTING OUTPUT [NAME=VALUE]...", call. = FALSE)
setting <- argument[2]
rows <- subset(read.csv(argument[1], check.names = FALSE, colClasses = c(bucket = "character")), bucket != "all")
for (choice in argument[-(1:3)]) rows <- rows[rows[[sub("=.*", "", choice)]] == sub("[^=]*=", "", choice), ]
if (anyDuplicated(rows[c("bucket", setting)])) stop("several rows for one point: choose some, as in algorithm=huke")
values <- unique(rows[[setting]])
is_number <- is.numeric(values)
x <- if (is_number) rows[[setting]] else match(rows[[setting]], values)
buckets <- unique(rows$bucket)
# Okabe and Ito's colours, told apart by the colour-blind too.
colours <- rep_len(c("#009E73", "#0072B2", "#E69F00", "#D55E00", "#CC79A7", "#56B4E9"), length(buckets))
shapes <- rep_len(c(16, 15, 18, 17, 25, 3), length(buckets))
bitmap <- function(file, ...) png(file, ..., units = "in", res = 200)
device <- switch(tools::file_ext(argument[3]), svg = svg, pdf = pdf, bitmap)
device(argument[3], width = 5, height = if (is_number) 3 else 6)
par(mar = c(if (is_number) 4 else 2 + max(nchar(values)) / 2, 4, 0.5, 7), las = 1, bty = "l", cex = 0.8, xpd = TRUE)
plot(range(x), c(0, 100), type = "n", xlab = if (is_number) setting else "", ylab = "", xaxt = "n")
title(ylab = "runs solved (%), 95 % interval")
if (is_number) axis(1) else axis(1, seq_along(values), values, las = 2)
for (at in seq_along(buckets)) {
  line <- rows$bucket == buckets[at]
  arrows(x[line], 100 * rows$success_low[line], x[line], 100 * rows$success_high[line], 0.03, 90, 3, colours[at])
  type <- if (is_number) "o" else "p"
  lines(x[line], 100 * rows$success_rate[line], type, col = colours[at], pch = shapes[at], bg = colours[at])
}
legend("right", buckets, inset = -0.35, col = colours, pch = shapes, pt.bg = colours, lty = 1, bty = "n")
invisible(dev.off())
