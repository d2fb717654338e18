/** The page on which an invitation is accepted. */
import type { Route } from '../../core/feature/route.ts'
import { html } from '../../core/html.ts'
import { inputReader } from '../../core/schema/input.ts'
import type { AccountPages } from '../account-link.ts'
import { acceptInvitation, findInvitation } from '../invitation/invitation.ts'
import { Acceptance } from '../invitation/schema.ts'
import { type FormField, formOf } from './form.ts'
import { donePage, LinkQuery, linkNotValid, newPasswordField } from './link.ts'
import { pageRoutes } from './page.ts'
import type { AccountText } from './text-en.ts'

const readAcceptance = inputReader(Acceptance)

export function invitationPages(pages: AccountPages): Route[] {
  return pageRoutes(pages, {
    name: 'accept-invitation',
    summary: 'Accept an invitation',
    query: LinkQuery,
    show: async (context, { query, text, brand, signInUrl }, submission) => {
      const { title, introduction, button } = text.acceptInvitation
      const invitation = await findInvitation(context, query.token)
      if (invitation === null) return linkNotValid(text, title(brand), signInUrl())
      const { invitedBy, email } = invitation
      const form = formOf({ fields: fieldsOf(text), button, text, submission })
      return { title: title(brand), body: html`<p>${introduction(invitedBy, email)}</p>${form}` }
    },
    submit: async (context, { query, text, brand, signInUrl }, form) => {
      const url = signInUrl()
      const { userName } = await acceptInvitation(context, readAcceptance({ ...form, token: query.token }))
      const { title, done } = text.acceptInvitation
      return donePage(text, title(brand), done(userName), url)
    },
  })
}

function fieldsOf(text: AccountText): FormField[] {
  const { labels, hints } = text
  return [
    { name: 'firstName', label: labels.firstName, autocomplete: 'given-name', maxLength: 100 },
    { name: 'lastName', label: labels.lastName, autocomplete: 'family-name', maxLength: 100 },
    {
      name: 'userName',
      label: labels.userName,
      autocomplete: 'username',
      hint: hints.userName,
      maxLength: 50,
    },
    newPasswordField(text),
  ]
}
