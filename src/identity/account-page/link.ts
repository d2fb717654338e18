/** What the pages share to which links of mails lead. */
import { Type } from 'typebox'
import { html } from '../../core/html.ts'
import { type ReturnOptions, returnAddress } from '../code-exchange/code-exchange.ts'
import { MailedReturn } from '../code-exchange/schema.ts'
import { maxPasswordLength } from '../password/schema.ts'
import type { FormField } from './form.ts'
import type { PageContent } from './layout.ts'
import type { AccountText } from './text-en.ts'

export const LinkQuery = Type.Object({
  token: Type.String({ maxLength: 100, default: '', description: 'From the mail' }),
  returnTo: MailedReturn,
})

/** @param url of the sign-in: whoever has used the link already goes on there */
export function linkNotValid(text: AccountText, title: string, url: string): PageContent {
  return {
    title,
    body: html`<p class="error" role="alert">${text.linkNotValid}</p>
<p class="after"><a href="${url}">${text.signIn.button}</a></p>`,
  }
}

/** What a page says when all is done, with the way on. @param url of the sign-in; `null` where there is none yet */
export function donePage(text: AccountText, title: string, said: string, url: string | null): PageContent {
  const button = url === null ? null : html`<a class="button" href="${url}">${text.signIn.button}</a>`
  return {
    title,
    body: html`<p role="status">${said}</p>
${button}`,
  }
}

/** @returns where `returnTo` of the query leads, or else `url` @throws ServiceError `invalid` for one that is not allowed */
export function signInAfter(options: ReturnOptions, query: unknown, url: string): string {
  const { returnTo } = (query ?? {}) as { returnTo?: string } // the schema of the page admits no other member
  return returnTo === undefined ? url : returnAddress(options, returnTo).href
}

export function newPasswordField({ labels, hints }: AccountText): FormField {
  return {
    name: 'password',
    label: labels.newPassword,
    type: 'password',
    autocomplete: 'new-password',
    hint: hints.password,
    maxLength: maxPasswordLength,
  }
}
