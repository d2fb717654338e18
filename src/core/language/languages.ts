/** The languages of the service. A further one is a file like those below, and a line here. */
import { german } from './de.ts'
import { english } from './en.ts'
import { french } from './fr.ts'
import {
  type EntityLabels,
  type LabelsByLanguage,
  type Language,
  type Noun,
  type Translations,
  textNamed,
} from './language.ts'

export const languages: readonly Language[] = [english, german, french]

/** The language in which everything has a name. */
export const defaultLanguage = english.tag

/**
 * Finds a text in a language: from its declaration, else from the dictionary of the service, else the English text.
 * @param kind the kind of what has the text, such as `events`
 */
export function translated(
  language: string,
  kind: keyof Language['built'],
  { name, text, labels }: { name: string; text: string; labels?: Translations | undefined },
): string {
  return labels?.[language] ?? textNamed(languageOf(language)?.built[kind], name) ?? text
}

/** @returns the texts of the service for one of its names, by language */
export function translationsOf(kind: keyof Language['built'], name: string): Translations {
  const named = languages.flatMap(({ tag, built }) => {
    const text = textNamed(built[kind], name)
    return text === undefined ? [] : [[tag, text] as const]
  })
  return Object.fromEntries(named)
}

/** Makes a sentence about an entity in each language of the service in which the entity has a name. */
export function sentencesOf(
  labels: LabelsByLanguage,
  inLanguage: (language: Language, noun: Noun, own: EntityLabels) => string | null,
): Translations {
  const made = languages.flatMap((language) => {
    const own = labels[language.tag]
    if (own?.one === undefined || own.many === undefined) return []
    const text = inLanguage(language, { ...own, one: own.one, many: own.many }, own)
    return text === null ? [] : [[language.tag, text] as const]
  })
  return Object.fromEntries(made)
}

function languageOf(tag: string): Language | undefined {
  return languages.find((each) => each.tag === tag)
}
