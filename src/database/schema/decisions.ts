/** The decisions of a change's author where the tables alone are ambiguous: what was renamed, and what may be lost. */

export interface Decisions {
  /** New names by old ones: `invoice` → `bill`, `invoice.note` → `bill.remark`. */
  renames: ReadonlyMap<string, string>
  /** Tables, and columns of tables, whose values are to be lost: `invoice`, `invoice.note`. */
  drops: ReadonlySet<string>
  /** Values of existing rows, by column: `bill.due_on` → `2026-01-31`. */
  fills: ReadonlyMap<string, string>
}

/** A decision that is missing. */
export interface Question {
  text: string
  /** The arguments of which one answers it; none if no argument does. */
  answers: readonly Choice[]
}

export interface Choice {
  argument: string
  meaning: string
}

export const noDecisions: Decisions = { renames: new Map(), drops: new Set(), fills: new Map() }

/** @param renames `old=new` @param fills `column=value` @throws Error for a text without the sign */
export function readDecisions(
  renames: readonly string[],
  drops: readonly string[],
  fills: readonly string[],
): Decisions {
  return {
    renames: new Map(renames.map((text) => pair('rename', text))),
    drops: new Set(drops),
    fills: new Map(fills.map((text) => pair('fill', text))),
  }
}

function pair(option: string, text: string): [string, string] {
  const [, first, second] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (first === undefined || second === undefined)
    throw new Error(
      `--${option} ${text}: write it as --${option} <name>=<${option === 'fill' ? 'value' : 'new name'}>.`,
    )
  return [first, second]
}
