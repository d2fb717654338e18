/**
 * Rows parsed from the JSON of the database. Values stay the text that the database wrote, so that numbers stay
 * exact.
 */
import type { Selection } from './selection.ts'

export type Parsed = Leaf | Parsed[] | { [name: string]: Parsed }

/** A value in the form that callers get, without copies of the rows in it. */
export type Shaped = Leaf | Copy | Shaped[] | Map<string, Shaped>

/** The JSON text of a primitive value. */
export class Leaf {
  readonly text: string
  readonly bytes: number

  constructor(text: string) {
    this.text = text
    this.bytes = Buffer.byteLength(text)
  }
}

/** A row of which only the selected members are to be written. */
export class Copy {
  readonly row: Parsed
  readonly selection: Selection

  constructor(row: Parsed, selection: Selection) {
    this.row = row
    this.selection = selection
  }
}

/** @param json a row, or a list of rows */
export function parseRows(json: string): Parsed {
  return JSON.parse(json, keepSource as Reviver) // the types lack the source
}

/** @returns the JSON text of a value that is selected as a whole: a list or an object in a column */
export function jsonOf(value: Parsed): string {
  if (value instanceof Leaf) return value.text
  if (Array.isArray(value)) return `[${value.map(jsonOf).join()}]`
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`)
    .join()}}`
}

type Reviver = (this: unknown, key: string, value: unknown) => unknown

function keepSource(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return source === undefined ? value : new Leaf(source)
}
