/** Pieces of SQL text, for statements whose tables are known at run time alone. */
import type { Dialect } from './executor.ts'

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** @returns the placeholder of a parameter, of which the first is 1; those of SQLite count by themselves */
export function placeholders(dialect: Dialect): (index: number) => string {
  return (place) => (dialect === 'sqlite' ? '?' : `$${place}`)
}
