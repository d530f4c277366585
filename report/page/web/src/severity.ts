// The severities of findings, in the order in which rows of the page number them: 0 is no finding.

/** The severities by their number. In the markup, they are classes of a finding. */
const severities = ["", "note", "warning", "error"];

const signs = ["", "●", "▲", "✖"];

/** The number of a severity, 0 if there is none. */
export function severityNumber(severity: string): number {
  return Math.max(0, severities.indexOf(severity));
}

/** The severity that the classes of a finding include, "" if none. */
export function severityOf(finding: Element): string {
  return severities.find((s) => s !== "" && finding.classList.contains(s)) ?? "";
}

/** The sign of a severity, "" if there is none. */
export function severitySign(severity: string): string {
  return signs[severityNumber(severity)]!;
}

/** A severity by its number, with its sign, as the rest of the page shows it: "▲ warning". */
export function severityLabel(n: number): string {
  const severity = severities[n];
  return severity ? `${severitySign(severity)} ${severity}` : "";
}
