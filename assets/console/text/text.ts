/** The texts of the console in the chosen language, or else in the first language of the browser that is available. */
import { storedChoice } from '../portal.ts'
import type { ConsoleText } from './en.ts'

interface LanguageEntry {
  /** The name of the language in itself. */
  name: string
  /** The locale for dates and numbers, if it differs from the language code. */
  locale?: string
  load: () => Promise<ConsoleText>
}

/** The dictionaries. A browser loads only one of them. */
const dictionaries = {
  en: { name: 'English', locale: 'en-GB', load: async () => (await import('./en.ts')).english },
  de: { name: 'Deutsch', load: async () => (await import('./de.ts')).german },
  fr: { name: 'Français', load: async () => (await import('./fr.ts')).french },
} as const satisfies Readonly<Record<string, LanguageEntry>>

/** A code of a language, which is the same in the service. */
export type LanguageCode = keyof typeof dictionaries

/** The languages by code and by their names in themselves. */
export const languages = Object.entries(dictionaries).map(([code, { name }]) => [code, name] as const)

const key = 'tenantry.language'
export const languageCode: LanguageCode = chosen()
const entry: LanguageEntry = dictionaries[languageCode]

/** The locale for `Intl`: dates and numbers follow the language of the console, not that of the browser. */
export const language = entry.locale ?? languageCode
export const numbers = new Intl.NumberFormat(language)
/** The texts. The module that all dictionaries import is loaded at the same time as the dictionary, not after it. */
export const [text] = await Promise.all([entry.load(), import('../../../src/core/language/plural.ts')])

function isLanguage(name: string | null): name is LanguageCode {
  return name !== null && Object.hasOwn(dictionaries, name)
}

function chosen(): LanguageCode {
  const stored = storedChoice(key)
  if (isLanguage(stored)) return stored
  return navigator.languages.map((each) => each.slice(0, 2)).find(isLanguage) ?? 'en'
}

/** Loads the page again, because texts are read while modules load. */
export function chooseLanguage(name: string): void {
  localStorage.setItem(key, name)
  location.reload()
}
