//! The report of a fit: a text in Markdown, and drawings of the errors and of what scores are worth.

use super::calibration::{Bin, BucketReport, pieces_of};
use super::fit::Epoch;
use crate::eval::network::BUCKETS;
use crate::eval::weights::About;
use crate::eval::{WDL_UNIT, WdlModel};
use std::fmt::Write;

/// The size of a drawing.
const SIZE: (f64, f64) = (640.0, 400.0);
/// What is left free around the curves.
const MARGIN: f64 = 50.0;
/// Parts that the lines across a drawing divide it into.
const TICKS: u32 = 5;
/// The most numbers below a drawing.
const MOST_NUMBERS: usize = 10;

/// Curves over the same axes.
struct Chart<'a> {
    title: &'a str,
    x_name: &'a str,
    y_name: &'a str,
    x: (f64, f64),
    /// The numbers below it: where, and what is written there.
    numbers: Vec<(f64, String)>,
    y: (f64, f64),
    digits: usize,
}

/// A curve with its colour and name.
struct Curve {
    colour: &'static str,
    name: &'static str,
    points: Vec<(f64, f64)>,
}

impl Chart<'_> {
    fn x_at(&self, x: f64) -> f64 {
        MARGIN + (x - self.x.0) / (self.x.1 - self.x.0) * (SIZE.0 - 2.0 * MARGIN)
    }

    fn y_at(&self, y: f64) -> f64 {
        SIZE.1 - MARGIN - (y - self.y.0) / (self.y.1 - self.y.0) * (SIZE.1 - 2.0 * MARGIN)
    }

    /// Draws the curves.
    fn draw(&self, curves: &[Curve]) -> String {
        let (width, height) = SIZE;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
            self.title
        );
        for tick in 0..=TICKS {
            let y = self.y.0 + part_of(tick) * (self.y.1 - self.y.0);
            let (left, right) = (MARGIN, width - MARGIN);
            let (at, digits) = (self.y_at(y), self.digits);
            let _ = writeln!(
                svg,
                "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{y:.digits$}</text>",
                left - 4.0,
                at + 4.0,
            );
        }
        for (x, number) in &self.numbers {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{number}</text>",
                self.x_at(*x),
                height - MARGIN + 16.0,
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text><text x=\"{MARGIN}\" y=\"20\">{}</text>",
            width / 2.0,
            height - 12.0,
            self.x_name,
            self.y_name
        );
        for (index, curve) in curves.iter().enumerate() {
            let Curve {
                colour,
                name,
                points,
            } = curve;
            // A line of one point would not be seen.
            if let [(x, y)] = points[..] {
                let (x, y) = (self.x_at(x), self.y_at(y));
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
                );
            }
            let points: Vec<String> = points
                .iter()
                .map(|&(x, y)| format!("{:.1},{:.1}", self.x_at(x), self.y_at(y)))
                .collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/><text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\" \
                 text-anchor=\"end\">{name}</text>",
                points.join(" "),
                width - MARGIN,
                20.0 + 16.0 * index as f64
            );
        }
        svg + "</svg>\n"
    }
}

/// Returns how far along an axis a line across it is, from 0 to 1.
fn part_of(tick: u32) -> f64 {
    f64::from(tick) / f64::from(TICKS)
}

/// Returns the epochs whose numbers are written below a drawing: all, or every second, fifth, tenth ... if they are too many.
fn numbered_epochs(count: usize) -> Vec<(f64, String)> {
    let mut steps = (0..).flat_map(|power| [1, 2, 5].map(|step| step * 10_usize.pow(power)));
    let step = steps.find(|step| count / step <= MOST_NUMBERS);
    let step = step.expect("steps grow for ever");
    let numbers = (step..=count).step_by(step);
    numbers
        .map(|number| (number as f64, number.to_string()))
        .collect()
}

/// Draws the errors by epoch.
pub fn loss_svg(epochs: &[Epoch]) -> String {
    let curve = |error: fn(&Epoch) -> f32| -> Vec<(f64, f64)> {
        let point = |epoch: &Epoch| (epoch.number as f64, f64::from(error(epoch)));
        epochs.iter().map(point).collect()
    };
    let (learned, held_out) = (curve(|epoch| epoch.learned), curve(|epoch| epoch.held_out));
    let errors = learned.iter().chain(&held_out).map(|&(_, error)| error);
    let (least, most) = errors.fold((f64::MAX, f64::MIN), |(least, most), error| {
        (least.min(error), most.max(error))
    });
    let chart = Chart {
        title: "Error by epoch",
        x_name: "epoch",
        y_name: "cross entropy, nats",
        // One epoch stands in the middle.
        x: match epochs.len() {
            0 | 1 => (0.0, 2.0),
            count => (1.0, count as f64),
        },
        numbers: numbered_epochs(epochs.len()),
        y: (least - 1e-4, most + 1e-4),
        digits: 4,
    };
    chart.draw(&[
        Curve {
            colour: "#888",
            name: "learned",
            points: learned,
        },
        Curve {
            colour: "#06c",
            name: "held out",
            points: held_out,
        },
    ])
}

/// Draws the share of the point that games brought over the share that was expected.
pub fn calibration_svg(bins: &[Bin]) -> String {
    let filled = bins.iter().filter(|bin| bin.count > 0);
    let chart = Chart {
        title: "Calibration",
        x_name: "expected share of the point",
        y_name: "share that was had",
        x: (0.0, 1.0),
        numbers: (0..=TICKS)
            .map(part_of)
            .map(|share| (share, format!("{share:.2}")))
            .collect(),
        y: (0.0, 1.0),
        digits: 2,
    };
    chart.draw(&[
        Curve {
            colour: "#888",
            name: "ideal",
            points: vec![(0.0, 0.0), (1.0, 1.0)],
        },
        Curve {
            colour: "#06c",
            name: "held-out positions",
            points: filled.map(|bin| (bin.expected, bin.actual)).collect(),
        },
    ])
}

/// Returns a table of the shares of the point that were expected and that games brought.
pub fn bins_table(bins: &[Bin]) -> String {
    let mut text = "| expected | had | positions |\n| --- | --- | --- |\n".to_owned();
    for bin in bins.iter().filter(|bin| bin.count > 0) {
        let Bin {
            count,
            expected,
            actual,
        } = bin;
        let _ = writeln!(text, "| {expected:.3} | {actual:.3} | {count} |");
    }
    text
}

/// Returns a table of the buckets.
pub fn buckets_table(reports: &[BucketReport; BUCKETS], wdl: &WdlModel) -> String {
    let mut text =
        "| pieces | positions | error | mean score | a man less | won half at | scatter |\n\
                    | --- | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for (bucket, report) in reports.iter().enumerate() {
        let (least, most) = pieces_of(bucket);
        let BucketReport {
            count,
            error,
            magnitude,
            man,
        } = report;
        let unit = f64::from(WDL_UNIT);
        let offset = f64::from(wdl.offsets[bucket]) / unit;
        let scatter = f64::from(wdl.scatters[bucket]) / unit;
        let _ = writeln!(
            text,
            "| {least}-{most} | {count} | {error:.4} | {magnitude:.0} | {man:.0} | {offset:.0} | {scatter:.0} |"
        );
    }
    text
}

/// Returns the report, which shows the drawings `loss.svg` and `calibration.svg` beside it.
pub fn markdown(
    about: &About,
    epochs: &[Epoch],
    bins: &[Bin],
    buckets: &[BucketReport; BUCKETS],
    wdl: &WdlModel,
) -> String {
    let recipe = serde_json::to_string_pretty(&about.recipe).expect("it is JSON");
    let mut text = format!(
        "# Weights for {}\n\n```json\n{recipe}\n```\n\n## Error by epoch, in nats\n\n![](loss.svg)\n\n| epoch | learned | held out |\n\
         | --- | --- | --- |\n",
        about.game
    );
    for Epoch {
        number,
        learned,
        held_out,
    } in epochs
    {
        let _ = writeln!(text, "| {number} | {learned:.5} | {held_out:.5} |");
    }
    let _ = write!(
        text,
        "\n## Calibration\n\nShares of the point, of positions held out.\n\n![](calibration.svg)\n\n{}\n## By number of pieces\n\n\
         Scores in hundredths of a man.\n\n{}",
        bins_table(bins),
        buckets_table(buckets, wdl)
    );
    text
}
