/** What a language says: patterns for the sentences of entities, and the names of what the service has. */

/** The noun of an entity. */
export interface Noun {
  /** In a sentence: `purchase order`. */
  one: string
  many: string
  /** Where sentences depend on it. */
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
  /** What the permissions of an entity allow. @param action its name in this language */
  permission: Record<PermissionVerb, (noun: Noun) => string> & {
    action(noun: Noun, action: string): string
  }
  /** What has happened. @param past the last word of the event: `closed` */
  event: Record<ChangeVerb, (noun: Noun) => string> & {
    action(noun: Noun, action: string, past: string): string
  }
  /** Texts of the service. Applications declare theirs with what they name, as the service does the English ones. */
  built: Record<'permissions' | 'events' | 'settings' | 'errors', TextsByName>
}

/** Names of what an entity has, in one language. What is left out is in English. */
export interface EntityLabels extends Partial<Noun> {
  description?: string
  /** By field; those of the rows of a list by `lines.price`. */
  fields?: TextsByName
  /** By field, then by word of the enum. */
  words?: Readonly<Record<string, TextsByName>>
  actions?: TextsByName
  /** By the title in the definition. */
  sections?: TextsByName
  /** By the name in the definition. */
  views?: TextsByName
  badges?: TextsByName
  /** By the English text: groups, help, questions, descriptions. */
  texts?: TextsByName
}

/** By the tag of the language. */
export type LabelsByLanguage = Readonly<Record<string, EntityLabels>>

/** Names such as `constructor` are none that every object has. */
export function textNamed(texts: TextsByName | undefined, name: string): string | undefined {
  return texts !== undefined && Object.hasOwn(texts, name) ? texts[name] : undefined
}
