/** The names of the built-in features, which commands know without assembling a service. */
import { ApplicationError } from '../core/feature/application-error.ts'
import type { Feature } from '../core/feature/feature.ts'
import { labelOfName } from '../core/feature/labelled.ts'
import { builtInEntities } from './built-in-entities.ts'
import type { ServiceOptions } from './service-options.ts'
import type { OptionalFeature } from './without.ts'

interface BuiltInName {
  /** What the feature has or does, in a message: `sign-up of new tenants`. */
  is: string
  /** The optional feature with which an application leaves this one out. */
  partOf?: OptionalFeature
}

export const builtInNames: Readonly<Record<string, BuiltInName>> = {
  tenant: { is: 'tenants' },
  brand: { is: 'brands of tenants' },
  'sign-up': { is: 'sign-up of new tenants' },
  operation: { is: 'operations on tenants, such as moves and exports' },
  user: { is: 'users' },
  role: { is: 'roles' },
  'api-key': { is: 'API keys' },
  session: { is: 'sessions and sign-in' },
  impersonation: { is: 'acting as a user' },
  'one-time-token': { is: 'tokens of links in mails' },
  'second-factor': { is: 'second factors' },
  passkey: { is: 'passkeys' },
  recovery: { is: 'forgotten passwords' },
  invitation: { is: 'invitations' },
  'email-address': { is: 'verification of addresses' },
  preference: { is: 'preferences of users' },
  'saved-view': { is: 'saved views of lists' },
  'code-exchange': { is: 'codes of a sign-in on a page' },
  'account-page': { is: 'account pages' },
  'single-sign-on': { is: 'single sign-on' },
  key: { is: 'signing keys' },
  audit: { is: 'the audit log' },
  initialization: { is: 'the first administrator' },
  encryption: { is: 'encryption at rest' },
  idempotency: { is: 'idempotency keys' },
  event: { is: 'events' },
  entity: { is: 'descriptions of entities' },
  home: { is: 'the figures of the first page' },
  search: { is: 'the search over all entities' },
  file: { is: 'files' },
  mail: { is: 'mails' },
  ...namesOfEntities(),
  order: { is: 'orders', partOf: 'orders' },
  subscription: { is: 'webhook subscriptions' },
  portal: { is: 'the embedded portal of webhooks' },
  delivery: { is: 'webhook deliveries' },
  incoming: { is: 'incoming webhooks' },
  job: { is: 'jobs' },
  tenantSetting: { is: 'settings of tenants' },
}

function namesOfEntities(): Record<string, BuiltInName> {
  const names = builtInEntities.flatMap(({ name, entities }) => [
    [name, { is: entities.map(nameOfMany).join(' and '), partOf: name }] as const,
    ...entities.map((each) => [each.name, { is: nameOfMany(each), partOf: name }] as const),
  ])
  return Object.fromEntries(names)
}

function nameOfMany({ name, plural = name }: Feature): string {
  return labelOfName(plural).toLowerCase()
}

/**
 * @throws ApplicationError when two features have the same name, or when a feature has the name of a built-in one that
 *   the service includes
 */
export function requireOwnNames({ features = [], without = [] }: ServiceOptions): void {
  const names = new Set<string>()
  for (const { name } of features) {
    if (names.has(name)) throw new ApplicationError(`Two features have the name ${name}.`)
    names.add(name)
    const builtIn = Object.hasOwn(builtInNames, name) ? builtInNames[name] : undefined
    if (builtIn === undefined || (builtIn.partOf !== undefined && without.includes(builtIn.partOf))) continue
    const remedy =
      builtIn.partOf === undefined
        ? 'choose another name'
        : `choose another name, or leave the built-in out with without: ['${builtIn.partOf}']`
    throw new ApplicationError(
      `The feature ${name} has the name of a built-in feature (${builtIn.is}): ${remedy}.`,
    )
  }
}
