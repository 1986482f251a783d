import type { ContentReport } from '../../app/file-checks.js';
import type { CheckPlace, EmailCheck } from '../../contract/control/emails/check.js';
import type { Comparison } from '../../pictures/baseline.js';
import type { ListedView } from '../emails/check/run-checks.js';

/** The result of checking a template, rendered with its sample data. */
export interface TemplateReport extends ContentReport {
  name: string;
  directory: string;
  /** What mail clients change, if that is wanted. */
  views?: ListedView[];
  /** The results of comparing its pictures, one for each sample, with the baseline. */
  pictures?: Comparison[];
}

/** A position in a file of the template. `samples` are those that have the fault, if another has not. */
export type FilePlace = CheckPlace & { file: string; samples?: string[] };

/** Merges the reports of a template with several samples into one. A finding of all samples is listed once. */

export interface SampleReport {
  /** The name of the file with the sample data. */
  sample: string;
  report: TemplateReport;
}

/** Positions that a check lists. */
export const PLACES_MAX = 20;

/** Returns the report with the lowest score, with the findings of all samples and the views of the first one. */
export function mergeReports(reports: readonly SampleReport[]): TemplateReport {
  const [lowest] = [...reports].sort((a, b) => (a.report.score ?? 101) - (b.report.score ?? 101));
  const { report } = lowest as SampleReport;
  if (reports.length === 1) return report;
  const views = reports[0]?.report.views;
  const checks = report.checks.map(({ id }) => mergeChecks(id, reports));
  const count = (passed: boolean | null) => checks.filter((check) => check.passed === passed).length;
  return {
    ...report,
    ...(views && { views }),
    ...{ passed: count(true), failed: count(false), not_run: count(null) },
    checks,
  };
}

function mergeChecks(id: string, reports: readonly SampleReport[]): EmailCheck {
  const found = reports.flatMap(({ sample, report }) =>
    report.checks.filter((check) => check.id === id).map((check) => ({ sample, check })),
  );
  const failed = found.filter(({ check }) => check.passed === false);
  const applied = found.find(({ check }) => check.passed !== null);
  const { check } = (failed[0] ?? applied ?? found[0]) as (typeof found)[number];
  if (failed.length === 0) return check;
  const samplesOf = new Map<string, { place: FilePlace; samples: string[] }>();
  for (const { sample, check: each } of failed) {
    for (const place of each.where as FilePlace[]) {
      const key = JSON.stringify([place.file, place.line, place.column, place.note]);
      const known = samplesOf.get(key);
      if (!known) samplesOf.set(key, { place, samples: [sample] });
      else if (!known.samples.includes(sample)) known.samples.push(sample);
    }
  }
  const inAll = (samples: readonly string[]) => samples.length === reports.length;
  const where = [...samplesOf.values()].map(({ place, samples }) =>
    inAll(samples)
      ? place
      : { ...place, samples, note: [place.note, `only with ${samples.join(', ')}`].filter(Boolean).join(', ') },
  );
  const names = failed.map(({ sample }) => sample);
  return {
    ...check,
    details: inAll(names) ? check.details : `${check.details} Only with ${names.join(', ')}.`,
    count: Math.max(where.length, ...failed.map((each) => each.check.count)),
    where: where.slice(0, PLACES_MAX),
  };
}
