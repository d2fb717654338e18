/** What the pages share to which links of mails lead. */
import { Type } from 'typebox'
import { html } from '../../core/html.ts'
import { maxPasswordLength } from '../password/schema.ts'
import type { FormField } from './form.ts'
import type { PageContent } from './layout.ts'
import type { AccountText } from './text-en.ts'

export const LinkQuery = Type.Object({
  token: Type.String({ maxLength: 100, default: '', description: 'From the mail' }),
})

export function linkNotValid(text: AccountText, title: string): PageContent {
  return { title, body: html`<p class="error" role="alert">${text.linkNotValid}</p>` }
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
