/** Shared parts of the pages to which links of mails lead: their parameters, a link that is not valid, and the end. */
import { Type } from 'typebox'
import { html } from '../../core/html.ts'
import { type ReturnOptions, returnAddress } from '../code-exchange/code-exchange.ts'
import { MailedReturn } from '../code-exchange/schema.ts'
import type { PageContent } from './layout.ts'
import type { AccountText } from './text-en.ts'

export const LinkQuery = Type.Object({
  token: Type.String({ maxLength: 100, default: '', description: 'From the mail' }),
  returnTo: MailedReturn,
})

/** @param url of the sign-in, where a user continues who has used the link already */
export function linkNotValid(text: AccountText, title: string, url: string): PageContent {
  return {
    title,
    body: html`<p class="error" role="alert">${text.linkNotValid}</p>
<p class="after"><a href="${url}">${text.signIn.button}</a></p>`,
  }
}

/** The last content of a page, with a link to the sign-in. @param url of the sign-in; `null` if there is none yet */
export function donePage(text: AccountText, title: string, message: string, url: string | null): PageContent {
  const button = url === null ? null : html`<a class="button" href="${url}">${text.signIn.button}</a>`
  return {
    title,
    body: html`<p role="status">${message}</p>
${button}`,
  }
}

/** @returns the address `returnTo` of the query, or else `url` @throws ServiceError `invalid` if it is not allowed */
export function signInAfter(options: ReturnOptions, query: unknown, url: string): string {
  const { returnTo } = (query ?? {}) as { returnTo?: string } // the schema of the page admits no other member
  return returnTo === undefined ? url : returnAddress(options, returnTo).href
}
