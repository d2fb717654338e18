/** The page on which an invitation is accepted. */
import type { Route } from '../../core/feature/route.ts'
import { html } from '../../core/html.ts'
import { inputReader } from '../../core/schema/input.ts'
import type { AccountPages } from '../account-link.ts'
import { acceptInvitation, findInvitation } from '../invitation/invitation.ts'
import { Acceptance } from '../invitation/schema.ts'
import { nameFields, newPasswordField, userNameField } from './fields.ts'
import { formOf } from './form.ts'
import { donePage, LinkQuery, linkNotValid } from './link.ts'
import { pageRoutes } from './page.ts'

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
      const form = formOf({
        fields: [...nameFields(text), userNameField(text), newPasswordField(text)],
        button,
        text,
        submission,
      })
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
