/** Calls a route for rows of another tenant, in every way of naming them. */
import assert from 'node:assert/strict'
import type { Answer, Client } from '../support/client.ts'
import { comparable } from '../support/error.ts'
import { fromAnyAddress } from '../support/http/forwarded.ts'
import { missingLike, type Names } from '../support/names.ts'
import type { Victim } from '../support/victim.ts'
import { leaksIn } from './leaks.ts'
import type { Recipe } from './recipe.ts'

export interface Intruder {
  title: string
  /** @returns a caller with a session; a new session if the call ends it */
  caller(fresh: boolean): Promise<Client>
}

/** Ways in which a request names a tenant. */
export const ways = ['nothing', 'header', 'query', 'host'] as const

export type Way = (typeof ways)[number]

interface Naming {
  headers?: Record<string, string>
  query?: Record<string, string>
}

const namings: Record<Way, (names: Names) => Naming> = {
  nothing: () => ({}),
  header: ({ tenant }) => ({ headers: { 'x-tenant-id': tenant } }),
  query: ({ tenant }) => ({ query: { tenant } }),
  host: ({ subdomain }) => ({ headers: { 'x-forwarded-host': `${subdomain}.localhost` } }),
}

/**
 * Asks for rows of the victim and for rows that do not exist: the two answers have to be equal.
 * @returns the faults, none if all is well
 */
export async function intrude(
  route: string,
  recipe: Recipe,
  victim: Victim,
  intruder: Intruder,
  { needsToken, ways: tried }: { needsToken: boolean; ways: readonly Way[] },
): Promise<string[]> {
  const attempts = tried.map(async (way) => {
    const naming = namings[way]
    const place = `${route} by ${intruder.title}, named by ${way}`
    const call = async (names: Names) => {
      const caller = await intruder.caller(recipe.endsSession === true && way === 'nothing')
      const answer = await sendRecipe(caller, route, recipe, names, naming(names))
      return { ...answer, text: withoutEcho(answer.text, recipe, names) }
    }
    const foreign = await call(victim.names)
    const faults = leaks(foreign, victim, recipe).map((leak) => `${place}: ${leak}`)
    if (foreign.status >= 500) faults.push(`${place}: ${foreign.status} ${foreign.text}`)
    if (!needsToken) return faults
    if (way !== 'nothing' && foreign.status !== 403) faults.push(`${place}: ${foreign.status} instead of 403`)
    // By query it is the same as by header; an unknown host names no tenant at all.
    const compares = way === 'nothing' || way === 'header'
    return compares
      ? [...faults, ...differences(foreign, await call(missingLike(victim.names)), place)]
      : faults
  })
  return (await Promise.all(attempts)).flat()
}

function withoutEcho(text: string, { echoed }: Recipe, names: Names): string {
  return echoed === undefined ? text : text.replaceAll(echoed(names), '')
}

function sendRecipe(
  caller: Client,
  route: string,
  { path, query, body }: Recipe,
  names: Names,
  naming: Naming,
): Promise<Answer> {
  const [method = '', pattern = ''] = route.split(' ')
  const values = path?.(names) ?? {}
  const address = pattern.replaceAll(/:(\w+)/g, (_all, name) => {
    const value = values[name]
    assert.ok(value, `the recipe of ${route} lacks ${name}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams({ ...query?.(names), ...naming.query })
  const headers = { ...fromAnyAddress(), ...naming.headers }
  return caller.send(method, `${address}?${search}`, body?.(names), headers)
}

/** The canary, or an id of the victim, anywhere in the answer. */
function leaks({ status, text, headers }: Answer, victim: Victim, { showsBrand }: Recipe): string[] {
  const all = `${text}\n${[...headers].join('\n')}`
  const { canary, names } = victim
  const brand = [`Brand ${canary}`, `tenant=${names.tenant}`, `/api/auth/sso/${names.tenant}/start`]
  const shown = showsBrand === true ? brand.reduce((rest, known) => rest.replaceAll(known, ''), all) : all
  return leaksIn(shown, victim).map((secret) => `${status} shows ${secret}: ${text}`)
}

/** Successful answers of creating routes differ by what they create. */
function differences(foreign: Answer, absent: Answer, place: string): string[] {
  if (foreign.status === absent.status && [201, 202].includes(foreign.status)) return []
  const [one, other] = [foreign, absent].map((answer) => JSON.stringify(comparable(answer)))
  return one === other ? [] : [`${place}: ${one} but for nobody's ${other}`]
}
