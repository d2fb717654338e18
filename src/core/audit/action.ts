/** The actions that a feature records in the audit, by name: a noun, a dot and a verb, with what was done. */
export type AuditCatalogue = Readonly<Record<string, string>>

/** Every feature adds the names of its actions by declaration merging, and their meaning by its member `audited`. */
export interface AuditActions extends Record<never, string> {}

export type AuditAction = keyof AuditActions & string

/** @returns the names of all actions @throws Error when two catalogues have the same one */
export function namesOfActions(catalogues: readonly AuditCatalogue[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const name of catalogues.flatMap((catalogue) => Object.keys(catalogue))) {
    if (names.has(name)) throw new Error(`Two features declare the audited action ${name}.`)
    names.add(name)
  }
  return names
}
