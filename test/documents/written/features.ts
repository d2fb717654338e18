/** What documents count up of the features, from the features themselves. */
import type { TObject } from 'typebox'
import { exampleOf } from '../../../src/api/openapi/example.ts'
import type { Feature } from '../../../src/core/feature/feature.ts'
import { impersonationOf, type Route, readsOnly } from '../../../src/core/feature/route.ts'
import { isPermission } from '../../../src/core/permission.ts'
import { code, tableOf } from './table.ts'

export function eventsTable(features: readonly Feature[]): string {
  const events = features.flatMap(({ events: own = {} }) => Object.entries(own))
  return tableOf(
    ['Event', 'When', 'Members of `data`'],
    events.map(([type, { summary, payload }]) => [
      code(type),
      summary,
      Object.keys((payload as TObject).properties)
        .map(code)
        .join(', '), // an object, like every payload
    ]),
  )
}

export function auditTable(features: readonly Feature[]): string {
  const actions = features.flatMap(({ audited = {} }) => Object.entries(audited))
  return tableOf(
    ['Action', 'When'],
    actions.map(([action, when]) => [code(action), typeof when === 'string' ? when : when.summary]),
  )
}

export function routesTable(features: readonly Feature[]): string {
  return tableOf(
    ['Method', 'Path', 'Access'],
    routesOf(features).map(({ method, path, access }) => [
      method,
      code(path),
      isPermission(access) ? code(access) : access,
    ]),
  )
}

/** Of the routes that take a key. */
export function idempotentTable(features: readonly Feature[]): string {
  const routes = routesOf(features).filter(({ idempotent }) => idempotent === true)
  return tableOf(
    ['Method', 'Path'],
    routes.map(({ method, path }) => [method, code(path)]),
  )
}

/** Where an administrator of the host who acts as a user may change something, or may not read. */
export function impersonationTable(features: readonly Feature[]): string {
  const routes = routesOf(features)
    .filter(({ access }) => access !== 'anonymous')
    .map((each) => ({ ...each, impersonation: impersonationOf(each) }))
    .filter(({ method, impersonation }) => readsOnly(method) === (impersonation === 'refused'))
    .map(({ method, path, impersonation }) => [code(`${method} ${path}`), impersonation])
  const mutations = features
    .flatMap(({ graphql }) => Object.entries(graphql?.mutations ?? {}))
    .filter(([, { impersonation }]) => impersonation === 'allowed')
    .map(([name]) => [code(`mutation { ${name} }`), 'allowed'])
  return tableOf(['Operation', 'While acting as a user'], [...routes, ...mutations])
}

/** What the role User may. */
export function userPermissionsTable(features: readonly Feature[]): string {
  const ofUser = features
    .flatMap(({ permissions = {} }) => Object.entries(permissions))
    .filter(([, { role }]) => role === 'User')
  return tableOf(
    ['Permission', 'Allows'],
    ofUser.map(([name, { description }]) => [code(name), description]),
  )
}

/** Settings that every tenant has. */
export function tenantSettingsTable(features: readonly Feature[]): string {
  const settings = features.flatMap(({ tenantSettings = {} }) => Object.entries(tenantSettings))
  return tableOf(
    ['Setting', 'Meaning', 'Example', 'Default', 'Public'],
    settings.map(([name, { schema, default: initial, isPublic }]) => {
      const { description = '' } = schema as { description?: string } // of JSON Schema
      return [
        code(name),
        description,
        code(String(exampleOf(schema))),
        code(String(initial)),
        isPublic ? 'yes' : 'no',
      ]
    }),
  )
}

function routesOf(features: readonly Feature[]): readonly Route[] {
  return features.flatMap(({ routes = [] }) => routes)
}
