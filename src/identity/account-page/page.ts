/** A page of HTML with a form: GET shows it, POST sends its form to the same address. */
import type { Static, TSchema } from 'typebox'
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import { brandOf } from '../../core/tenant/brand.ts'
import type { AccountPages } from '../account-link.ts'
import { readForm, requireOwnForm, type Submission } from './form.ts'
import { type PageContent, type PageLayout, pageReply } from './layout.ts'
import { signInAfter } from './link.ts'
import { german } from './text-de.ts'
import { type AccountText, english } from './text-en.ts'
import { french } from './text-fr.ts'

/** The largest form in bytes. A form has a few names and a password. */
const maxFormBytes = 16 * 1024

export interface PageInput<Q> {
  query: Q
  text: AccountText
  /** The name of the tenant, as its customers read it. */
  brand: string
  /**
   * Where users of the tenant sign in afterwards: `returnTo` of the query, or the console. A form asks for it before it
   * changes anything.
   * @throws ServiceError `invalid` for a `returnTo` that is not allowed
   */
  signInUrl(): string
}

export interface AccountPage<Q extends TSchema> {
  /** The path of the page below `/account/`. */
  name: string
  summary: string
  query?: Q
  /** Whether its form signs in. The setting `SIGN_IN_LIMIT` then limits it. */
  signsIn?: boolean
  /** Whether its form may send a mail to somebody else. */
  mails?: boolean
  /** @param submission the input that was refused; `null` before the form was sent */
  show(
    context: Context,
    input: PageInput<Static<Q>>,
    submission: Submission | null,
  ): Promise<PageContent> | PageContent
  /** @returns the next content, or the address of a redirect @throws ServiceError, which `show` then explains */
  submit(
    context: Context,
    input: PageInput<Static<Q>>,
    form: Readonly<Record<string, string>>,
  ): Promise<PageContent | URL>
}

export function pageRoutes<Q extends TSchema>(pages: AccountPages, page: AccountPage<Q>): Route[] {
  const common = {
    tag: 'Account pages',
    path: `/account/${page.name}`,
    summary: page.summary,
    access: 'anonymous',
    database: 'catalogue',
    ...(page.query !== undefined && { query: page.query }),
    page: true,
    secret: true,
  } as const
  return [
    route({
      ...common,
      method: 'GET',
      handle: async (context, { query }) => {
        const { input, layout } = await inputOf(context, query, pages)
        return pageReply(await page.show(context, input, null), layout)
      },
    }),
    route({
      ...common,
      method: 'POST',
      limit: 'strict',
      signsIn: page.signsIn === true,
      mails: page.mails === true,
      rawBody: { limitBytes: maxFormBytes, description: 'The fields of the form.' },
      handle: async (context, { query, headers, bytes }) => {
        requireOwnForm(headers, pages.url)
        const form = readForm(headers, bytes)
        const { input, layout } = await inputOf(context, query, pages)
        try {
          const next = await page.submit(context, input, form)
          return next instanceof URL ? new Reply(null, { location: next.href }, 303) : pageReply(next, layout)
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          const content = await page.show(context, input, { values: form, error })
          return pageReply(content, layout, { status: error.status, headers: retryHeaders(error) })
        }
      },
    }),
  ]
}

/** Keeps only the header that says when to try again: other headers are for programs. */
function retryHeaders({ headers }: ServiceError): Record<string, string> {
  const after = headers['retry-after']
  return after === undefined ? {} : { 'retry-after': after }
}

const texts: ReadonlyMap<string, AccountText> = new Map([
  ['en', english],
  ['de', german],
  ['fr', french],
])

/** Reads the brand of the tenant, and chooses the texts in its language. */
async function inputOf<Q>(
  context: Context,
  query: Q,
  pages: AccountPages,
): Promise<{ input: PageInput<Q>; layout: PageLayout }> {
  const { brand, locale } = await brandOf(context)
  const { language } = new Intl.Locale(locale)
  const text = texts.get(language)
  const layout = { brand, language: text === undefined ? 'en' : language }
  const signInUrl = () => signInAfter(pages, query, pages.signInUrl(context.tenant))
  return { input: { query, text: text ?? english, brand: brand.name, signInUrl }, layout }
}
