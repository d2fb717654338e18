import { preconditionOf, validatorsOf } from '../../api/http/reply/condition.ts'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import type { DeclaredSettings } from '../../core/tenant/settings/declared.ts'
import {
  getPublicTenantSettings,
  getTenantSettings,
  updateTenantSettings,
  type VersionedSettings,
} from './settings.ts'

const path = '/api/tenant/settings'
const tag = 'Tenants'

/** @param shapes of the settings that the features of this service declare */
export function tenantSettingRoutes({ shapes }: DeclaredSettings): Route[] {
  return [
    route({
      method: 'GET',
      path,
      tag,
      access: 'admin',
      summary: 'Get the settings of the tenant',
      description: 'Send the `ETag` in `If-Match` to change them.',
      status: 200,
      reply: shapes.all,
      headers: ['etag', 'last-modified'],
      handle: async (context) => tagged(await getTenantSettings(context)),
    }),
    route({
      method: 'PUT',
      path,
      tag,
      access: 'admin',
      summary: 'Change settings of the tenant',
      description:
        'Replaces the given settings; omitted ones stay unchanged. With `null` a setting gets its default again. ' +
        'An unknown setting is refused with 400. The new values apply on every instance within a second.',
      body: shapes.change,
      status: 200,
      reply: shapes.all,
      headers: ['etag', 'last-modified'],
      conditional: true,
      handle: async (context, { body, headers }) =>
        tagged(await updateTenantSettings(context, body, preconditionOf(headers))),
    }),
    route({
      method: 'GET',
      path: `${path}/public`,
      name: 'getPublicTenantSettings',
      tag,
      access: 'public',
      database: 'catalogue', // the settings are cached
      summary: 'Get the settings of the tenant that everybody may read',
      description: 'Pages that are shown before a user signs in use them.',
      status: 200,
      reply: shapes.public,
      handle: (context) => getPublicTenantSettings(context),
    }),
  ]
}

function tagged({ values, ...row }: VersionedSettings): Reply {
  return new Reply(values, validatorsOf(row))
}
