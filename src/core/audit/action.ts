import type { Translations } from '../language/language.ts'

/** How features declare the actions that they record in the audit. */

export interface AuditedAction {
  /** What was done: "A user was created". */
  summary: string
  /** The summary in other languages: `{ de: 'Ein Benutzer wurde angelegt' }`. */
  labels?: Translations
}

/** The summaries of the actions that a feature records, by the name of the action: `user.created`. */
export type AuditCatalogue = Readonly<Record<string, string | AuditedAction>>

/**
 * The names of all actions: features add theirs by declaration merging, and the summaries by their member `audited`.
 */
export interface AuditActions extends Record<never, string> {}

export type AuditAction = keyof AuditActions & string

/** @returns the actions of all features by name @throws Error if two features declare the same name */
export function auditedActions(catalogues: readonly AuditCatalogue[]): ReadonlyMap<string, AuditedAction> {
  const actions = new Map<string, AuditedAction>()
  for (const [name, action] of catalogues.flatMap((catalogue) => Object.entries(catalogue))) {
    if (actions.has(name)) throw new Error(`Two features declare the audited action ${name}.`)
    actions.set(name, typeof action === 'string' ? { summary: action } : action)
  }
  return actions
}
