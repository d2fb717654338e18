import type { Translations } from '../language/language.ts'

export interface AuditedAction {
  /** What was done: "A user was created". */
  summary: string
  /** The same in other languages: `{ de: 'Ein Benutzer wurde angelegt' }`. */
  labels?: Translations
}

/** The actions that a feature records in the audit, by name: a noun, a dot and a verb, with what was done. */
export type AuditCatalogue = Readonly<Record<string, string | AuditedAction>>

/** Every feature adds the names of its actions by declaration merging, and their meaning by its member `audited`. */
export interface AuditActions extends Record<never, string> {}

export type AuditAction = keyof AuditActions & string

/** @returns what was done, by the name of the action @throws Error when two catalogues have the same one */
export function auditedActions(catalogues: readonly AuditCatalogue[]): ReadonlyMap<string, AuditedAction> {
  const actions = new Map<string, AuditedAction>()
  for (const [name, action] of catalogues.flatMap((catalogue) => Object.entries(catalogue))) {
    if (actions.has(name)) throw new Error(`Two features declare the audited action ${name}.`)
    actions.set(name, typeof action === 'string' ? { summary: action } : action)
  }
  return actions
}
