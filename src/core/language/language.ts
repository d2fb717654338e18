/** The texts of a language: patterns for sentences about entities, and the names of what the service has. */

/** The noun of an entity. */
export interface Noun {
  /** The singular, as it stands within a sentence: `purchase order`. */
  one: string
  many: string
  /** The grammatical gender, in languages whose sentences depend on it. */
  gender?: 'm' | 'f' | 'n'
}

/** What a permission of an entity allows, beside its actions. */
export type PermissionVerb =
  | 'read'
  | 'write'
  | 'all'
  | 'list'
  | 'get'
  | 'create'
  | 'replace'
  | 'change'
  | 'delete'

export type ChangeVerb = 'created' | 'updated' | 'deleted' | 'restored'

/** Texts by the tag of their language (BCP 47): `de`, `pt-BR`. */
export type Translations = Readonly<Record<string, string>>

export type TextsByName = Readonly<Record<string, string>>

export interface Language {
  tag: string
  /** The sentences for the permissions of an entity. @param action its name in this language */
  permission: Record<PermissionVerb, (noun: Noun) => string> & {
    action(noun: Noun, action: string): string
  }
  /** The sentences for changes of a row. @param past the last word of the event: `closed` */
  event: Record<ChangeVerb, (noun: Noun) => string> & {
    action(noun: Noun, action: string, past: string): string
  }
  /** Texts of the service. Applications declare their own texts beside what they name. */
  built: Record<'permissions' | 'events' | 'audited' | 'settings' | 'errors', TextsByName>
}

/** The names of an entity and its parts in one language. English replaces those that are left out. */
export interface EntityLabels extends Partial<Noun> {
  description?: string
  /** Labels by field; a field of the rows of a list is written like `lines.price`. */
  fields?: TextsByName
  /** Labels by field, then by word of the enum. */
  words?: Readonly<Record<string, TextsByName>>
  actions?: TextsByName
  /** Labels of sections, by their title in the definition. */
  sections?: TextsByName
  /** Labels of views and of badges, by their name in the definition. */
  views?: TextsByName
  badges?: TextsByName
  /** Texts by the English text: groups, help, questions, descriptions. */
  texts?: TextsByName
}

/** The names of an entity by the tag of the language. */
export type LabelsByLanguage = Readonly<Record<string, EntityLabels>>

/** Finds a text by name. A name such as `constructor`, which every object has, must find nothing. */
export function textNamed(texts: TextsByName | undefined, name: string): string | undefined {
  return texts !== undefined && Object.hasOwn(texts, name) ? texts[name] : undefined
}
