/** The page on which the address of a user is verified. */
import type { Route } from '../../core/feature/route.ts'
import { html } from '../../core/html.ts'
import type { AccountPages } from '../account-link.ts'
import { findRequest, verifyEmail } from '../email-address/email-address.ts'
import { formOf } from './form.ts'
import { donePage, LinkQuery, linkNotValid } from './link.ts'
import { pageRoutes } from './page.ts'

export function verifyPages(pages: AccountPages): Route[] {
  return pageRoutes(pages, {
    name: 'verify',
    summary: 'Verify an address',
    query: LinkQuery,
    show: async (context, { query, text, signInUrl }, submission) => {
      const { title, introduction, button } = text.verifyEmail
      const request = await findRequest(context, query.token)
      if (request === null) return linkNotValid(text, title, signInUrl())
      const form = formOf({ fields: [], button, text, submission })
      return { title, body: html`<p>${introduction(request.email, request.userName)}</p>${form}` }
    },
    submit: async (context, { query, text, signInUrl }) => {
      const url = signInUrl()
      const { title, done } = text.verifyEmail
      return donePage(text, title, done(await verifyEmail(context, query.token)), url)
    },
  })
}
