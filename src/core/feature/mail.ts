/** Mails that a feature declares. What a mail says is stated once; its plain text and its HTML follow from it. */

import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { errorFinder } from '../schema/schema-errors.ts'
import { ApplicationError } from './application-error.ts'

/** The name, the logo and the colours of a tenant, from its settings. */
export interface MailBrand {
  name: string
  /** The address of a picture: of the stored logo, or one that the tenant has set. */
  logoUrl: string | null
  /** Like `#1a2b3c`. */
  color: string | null
  accentColor: string | null
}

/**
 * A part of a mail. Text becomes a paragraph, a link a button, a code a line that is easy to copy, and rows become a
 * list of names and values.
 */
export type MailPart =
  | string
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly [name: string, value: string])[] }

export interface MailContent {
  /** The subject, without line ends. */
  subject: string
  body: readonly MailPart[]
}

export type WriteMail<V> = (values: V, brand: MailBrand) => MailContent

export interface MailTemplate<V = never> {
  readonly values: TSchema
  /**
   * The functions that write the mail by language, such as `en`; the first one serves for a language that is
   * missing.
   */
  readonly languages: Readonly<Record<string, WriteMail<V>>>
}

/** The mails of a feature by name. Names are like `noun.verb`, and unique among the features. */
export type MailCatalogue = Readonly<Record<string, MailTemplate>>

/** The values of each mail. Every feature adds those of its mails by declaration merging. */
export interface MailValues extends Record<never, object> {}

export type MailValuesOf<C extends MailCatalogue> = {
  [N in keyof C]: C[N] extends { values: infer S extends TSchema } ? Static<S> : never
}

/** @param values the schema of the values: JSON of at most 16 KiB @throws Error without a language */
export function mail<S extends TSchema>(options: {
  values: S
  languages: Readonly<Record<string, WriteMail<Static<S>>>>
}): MailTemplate & { values: S } {
  const { values, languages } = options
  for (const language of Object.keys(languages))
    if (!/^[a-z]{2,3}$/.test(language))
      throw new Error(`The language ${language} of a mail must be a code such as en or fr.`)
  if (Object.keys(languages).length === 0) throw new Error('A mail must be written in at least one language.')
  return { values, languages: languages as MailTemplate['languages'] } // values are validated before they get there
}

/** @param url begins with `https://` or `http://` */
export function link(label: string, url: string): MailPart {
  return { kind: 'link', label, url }
}

export function code(text: string): MailPart {
  return { kind: 'code', code: text }
}

export function rows(...each: readonly (readonly [name: string, value: string])[]): MailPart {
  return { kind: 'rows', rows: each }
}

/** The mails of all features, by name. */
export class Mails {
  readonly #templates = new Map<string, MailTemplate>()
  readonly #checks = new Map<string, (values: unknown) => string | null>()

  /** @throws Error when two features declare the same name, and for a name that makes no sense */
  constructor(catalogues: readonly MailCatalogue[]) {
    for (const [name, template] of catalogues.flatMap((catalogue) => Object.entries(catalogue))) {
      if (this.#templates.has(name)) throw new ApplicationError(`Two features declare the mail ${name}.`)
      if (!/^[A-Za-z0-9][\w.-]{0,99}$/.test(name))
        throw new ApplicationError(`The name of the mail ${name} must be 1 to 100 letters, digits and . _ -`)
      this.#templates.set(name, template)
    }
  }

  names(): string[] {
    return [...this.#templates.keys()].sort()
  }

  has(name: string): boolean {
    return this.#templates.has(name)
  }

  /**
   * @returns why the values do not match the schema of the mail; `null` if they do
   * @throws Error for an unknown mail
   */
  faultsOf(name: string, values: unknown): string | null {
    const check = this.#checks.get(name) ?? checkOf(this.#templateOf(name).values) // on first use
    this.#checks.set(name, check)
    return check(values)
  }

  /**
   * Writes a mail.
   * @param language if the template does not have it, its first language is used
   * @throws Error for an unknown mail, and whatever the template throws
   */
  write(name: string, values: unknown, { language, brand }: { language: string; brand: MailBrand }): Written {
    const { languages } = this.#templateOf(name)
    const used = Object.hasOwn(languages, language) ? language : (Object.keys(languages)[0] ?? '')
    const write = languages[used]
    if (write === undefined) throw new Error(`The mail ${name} is written in no language.`)
    return { language: used, ...write(values as never, brand) } // the values were validated when they were stored
  }

  #templateOf(name: string): MailTemplate {
    const template = this.#templates.get(name)
    if (template === undefined) throw new Error(`No feature declares the mail ${name}.`)
    return template
  }
}

export interface Written extends MailContent {
  language: string
}

function checkOf(schema: TSchema): (values: unknown) => string | null {
  const compiled = Compile(schema)
  const errors = errorFinder(compiled)
  return (values) => {
    if (compiled.Check(values)) return null
    return errors(values)
      .map(({ instancePath, message }) => `${instancePath} ${message}`.trim())
      .join('; ')
  }
}
