/**
 * The decisions that the author of a migration gives as arguments, where comparing the tables is ambiguous: what was
 * renamed, what may be lost, and which value existing rows get.
 */

export interface Decisions {
  /** The new names of tables and columns by their old names: `invoice` → `bill`, `invoice.note` → `bill.remark`. */
  renames: ReadonlyMap<string, string>
  /** Tables and columns that are dropped with their values: `invoice`, `invoice.note`. */
  drops: ReadonlySet<string>
  /** The values that existing rows get, by column: `bill.due_on` → `2026-01-31`. */
  fills: ReadonlyMap<string, string>
}

/** A decision that the author still has to make. */
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

/** @param renames `old=new` @param fills `column=value` @throws Error for a text without `=` */
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
