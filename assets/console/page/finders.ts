/** Finders of options for filters and fields: users, subscriptions, events, providers, actions. */
import { get } from '../api.ts'
import type { Finder, Option } from '../component/option-list.tsx'
import { text } from '../text/text.ts'
import { tenantNameOf } from './tenant-name.tsx'

export interface NamedUser {
  id: string
  userName: string
  email: string
}

const maxFound = '10'

/** @param others further parameters of the list */
export async function findUsers(
  typed: string,
  signal: AbortSignal,
  others: Readonly<Record<string, string>> = {},
): Promise<Option[]> {
  const query = { ...others, limit: maxFound, ...(typed !== '' && { search: typed }) }
  const users = await get<NamedUser[]>('/api/users', { query, signal })
  return users.map(({ id, userName, email }) => [id, userName, email])
}

export const userFinder: Finder = {
  permission: 'user:read',
  find: (typed, signal) => findUsers(typed, signal),
  nameOf: async (id) => (await get<NamedUser>(`/api/users/${id}`)).userName,
}

interface NamedSubscription {
  id: string
  url: string
}

const subscriptions = '/api/webhooks/subscriptions'

export const subscriptionFinder: Finder = {
  permission: 'webhook:read',
  find: async (typed, signal) => {
    const query = { limit: maxFound, ...(typed !== '' && { 'url[icontains]': typed }) }
    const found = await get<NamedSubscription[]>(subscriptions, { query, signal })
    return found.map(({ id, url }) => [id, url])
  },
  nameOf: async (id) => (await get<NamedSubscription>(`${subscriptions}/${id}`)).url,
}

export const eventTypeFinder: Finder = {
  permission: 'event:read',
  load: async (signal) => {
    const types = await get<{ type: string; summary: string }[]>('/api/webhooks/event-types', { signal })
    return types.map(({ type, summary }) => [type, type, summary])
  },
  isFree: true,
}

export const providerFinder: Finder = {
  permission: 'webhookProvider:read',
  load: async (signal) => {
    const providers = await get<{ provider: string }[]>('/api/webhooks/providers', { signal })
    return providers.map(({ provider }) => [provider, provider])
  },
  isFree: true,
}

export const auditActionFinder: Finder = {
  permission: 'audit:read',
  load: async (signal) => {
    const actions = await get<{ action: string; summary: string }[]>('/api/audit/actions', { signal })
    return actions.map(({ action, summary }) => [action, action, summary])
  },
  isFree: true,
}

export async function findTenants(typed: string, signal: AbortSignal): Promise<Option[]> {
  const query = { limit: maxFound, fields: 'id,name,isActive', ...(typed !== '' && { search: typed }) }
  const tenants = await get<{ id: string; name: string; isActive: boolean }[]>('/api/tenants', {
    query,
    signal,
  })
  const { suspended } = text.administration.tenants
  return tenants.map(({ id, name, isActive }) => [id, name, isActive ? id : `${id} · ${suspended}`])
}

export const tenantFinder: Finder = {
  permission: 'tenant:read',
  find: findTenants,
  nameOf: tenantNameOf,
  isFree: true,
}

interface FoundRows {
  found: readonly { entity: string; hits: readonly { id: string; title: string }[] }[]
}

async function findRows(q: string, signal?: AbortSignal): Promise<Option[]> {
  const { found } = await get<FoundRows>('/api/search', { query: { q }, ...(signal && { signal }) })
  return found.flatMap(({ entity, hits }) => hits.map(({ id, title }): Option => [id, title, entity]))
}

/** Finds users, and rows of every entity. */
export const subjectFinder: Finder = {
  permission: 'audit:read',
  find: async (typed, signal) => {
    const users = await findUsers(typed, signal).catch(() => [])
    return typed === '' ? users : [...(await findRows(typed, signal)), ...users]
  },
  nameOf: async (id) => {
    const [row] = await findRows(id)
    return row?.[1] ?? (await get<NamedUser>(`/api/users/${id}`)).userName
  },
  isFree: true,
}
