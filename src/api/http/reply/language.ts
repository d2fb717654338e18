/** The language of a reply: the one that `language` names, or that `Accept-Language` prefers. */
import Negotiator from 'negotiator'
import { type Static, Type } from 'typebox'
import type { RouteInput } from '../../../core/feature/route.ts'
import { Reply } from '../../../core/feature/route.ts'
import { defaultLanguage } from '../../../core/language/languages.ts'
import { isLocale } from '../../../core/locale.ts'

export const LanguageQuery = Type.Object({
  language: Type.Optional(
    Type.Refine(
      Type.String({
        maxLength: 35,
        description:
          'The language of names and sentences, as a tag (BCP 47), instead of `Accept-Language`. Texts without a translation are in English',
        examples: ['de'],
      }),
      isLocale,
      () => 'must be a language tag like en or de-CH',
    ),
  ),
})

type Asking = Pick<RouteInput<Static<typeof LanguageQuery>, unknown>, 'query' | 'headers'>

/** Longer headers are not read: browsers send less. */
const maxHeaderLength = 500

/** @param known the tags of languages that have names */
export function languageAskedFor({ query, headers }: Asking, known: readonly string[]): string {
  const preferred = query.language ?? String(headers['accept-language'] ?? '')
  if (preferred === '' || preferred.length > maxHeaderLength) return defaultLanguage
  const [best] = new Negotiator({ headers: { 'accept-language': preferred } }).languages([...known])
  return best ?? defaultLanguage
}

/** @param language of the body */
export function replyIn(
  language: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return new Reply(body, { ...headers, 'content-language': language })
}
