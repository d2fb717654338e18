import type { TSchema } from 'typebox'
import { preconditionOf, validatorsOf } from '../../api/http/reply/condition.ts'
import { contentTag } from '../../api/http/reply/etag.ts'
import { LanguageQuery, languageAskedFor, replyIn } from '../../api/http/reply/language.ts'
import type { Context } from '../../core/context.ts'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import type { DeclaredSettings } from '../../core/tenant/settings/declared.ts'
import { inTenant } from '../in-tenant.ts'
import { describeSettings, TenantSettingDefinitions } from './description.ts'
import {
  getPublicTenantSettings,
  getTenantSettings,
  updateTenantSettings,
  type VersionedSettings,
} from './settings.ts'

const path = '/api/tenant/settings'
const tag = 'Tenants'

/** @param declared the settings that the features of this service declare, with their schemas */
export function tenantSettingRoutes(declared: DeclaredSettings): Route[] {
  const { shapes } = declared
  return [
    ...(shapes.host === null ? [] : hostSettingRoutes(shapes.all, shapes.host)),
    route({
      method: 'GET',
      path,
      tag,
      access: 'setting:read',
      summary: 'Get the settings of the tenant',
      description: 'Send the `ETag` in `If-Match` to change them.',
      reply: shapes.all,
      headers: ['etag', 'last-modified'],
      handle: async (context) => tagged(await getTenantSettings(context)),
    }),
    route({
      method: 'PUT',
      path,
      tag,
      access: 'setting:write',
      summary: 'Change settings of the tenant',
      description:
        'Replaces the given settings; omitted ones stay unchanged. With `null` a setting gets its default again. ' +
        'An unknown setting is refused with 400. The new values apply on every instance within a second.',
      body: shapes.change,
      reply: shapes.all,
      headers: ['etag', 'last-modified'],
      conditional: true,
      handle: async (context, { body, headers }) =>
        tagged(await updateTenantSettings(context, body, preconditionOf(headers))),
    }),
    definitionsRoute(declared),
    route({
      method: 'GET',
      path: `${path}/public`,
      name: 'getPublicTenantSettings',
      tag,
      access: 'public',
      database: 'catalogue', // the settings are cached
      summary: 'Get the settings of the tenant that everybody may read',
      description: 'Pages that are shown before a user signs in use them.',
      reply: shapes.public,
      handle: (context) => getPublicTenantSettings(context),
    }),
  ]
}

/**
 * Routes by which administrators of the host tenant change certain settings of any tenant. A service in which no
 * feature declares such a setting does not have these routes.
 */
function hostSettingRoutes(reply: TSchema, body: TSchema): Route[] {
  const common = {
    path: '/api/tenants/:id/settings',
    tag,
    database: 'catalogue',
    ids: 'text',
    reply,
    headers: ['etag', 'last-modified'],
    errors: ['notFound', 'unavailable'],
  } as const
  return [
    route({
      ...common,
      method: 'GET',
      name: 'getSettingsOfTenant',
      access: 'operation:read',
      summary: 'Get the settings of any tenant',
      description: 'For the host tenant.',
      handle: async (context, { path: { id = '' } }) =>
        tagged(await inTenant(context, id, getTenantSettings)),
    }),
    route({
      ...common,
      method: 'PUT',
      name: 'changeSettingsOfTenant',
      access: 'operation:write',
      summary: 'Change the settings of a tenant that only the host changes',
      description: 'For the host tenant. Replaces the given settings; omitted ones stay unchanged.',
      body,
      conditional: true,
      handle: async (context, { path: { id = '' }, body: given, headers }) => {
        const change = (tenant: Context) => updateTenantSettings(tenant, given, preconditionOf(headers))
        return tagged(await inTenant(context, id, change))
      },
    }),
  ]
}

function definitionsRoute(declared: DeclaredSettings): Route {
  return route({
    method: 'GET',
    path: `${path}/definitions`,
    name: 'listTenantSettingDefinitions',
    tag,
    access: 'setting:read',
    database: 'catalogue', // the definitions are the same for all tenants
    summary: 'Describe the settings of tenants',
    description:
      'What a program needs to show and change settings that it does not know in advance: schemas, defaults, and names in the language asked for. In the order in which the features declare them.',
    query: LanguageQuery,
    byLanguage: true,
    reply: TenantSettingDefinitions,
    headers: ['etag'],
    bounded: 'The list is short, because the service and the application declare the settings.',
    handle: async ({ shared }, input) => {
      const language = languageAskedFor(input, shared.languages)
      const definitions = describeSettings(declared, language)
      return replyIn(language, definitions, { etag: contentTag(JSON.stringify(definitions)) })
    },
  })
}

function tagged({ values, ...row }: VersionedSettings): Reply {
  return new Reply(values, validatorsOf(row))
}
