/** Makes columns of a table that show a member of its rows: as text, number, code, moment or badge. */
import type { Column } from './data-table.tsx'
import { MomentInWords } from './moment-in-words.tsx'
import { StatusBadge } from './status-badge.tsx'

type Member<T> = Extract<keyof T, string>

export function plain<T>(label: string, name: Member<T>): Column<T> {
  return { label, show: (row) => textOf(row[name]) }
}

export function figure<T>(label: string, name: Member<T>): Column<T> {
  return { label, isNumber: true, show: (row) => textOf(row[name]) }
}

export function code<T>(label: string, name: Member<T>): Column<T> {
  return { label, show: (row) => row[name] !== null && <code>{textOf(row[name])}</code> }
}

/** @param none the text where there is no moment, such as `never` */
export function moment<T>(label: string, name: Member<T>, none: string | null = null): Column<T> {
  return { label, show: (row) => (row[name] === null ? none : <MomentInWords value={textOf(row[name])} />) }
}

export function status<T>(label: string, name: Member<T>): Column<T> {
  return { label, show: (row) => <StatusBadge word={textOf(row[name])} /> }
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}
