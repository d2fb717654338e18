/** The users of the tenant; the host also sees those of other tenants. */
import { useState } from 'preact/hooks'
import { get } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { Moment } from '../../component/moment.tsx'
import { useLoaded } from '../../load.ts'
import { goTo, hrefOf, usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'
import { ActiveBadge } from './active-badge.tsx'
import { hostTenantId, type User } from './types.ts'
import { EditUser, NewUser } from './user.tsx'

const texts = text.administration.users
const { common } = text.administration
const shownAtOnce = 100

export function UsersPage() {
  const { path } = usePlace()
  const [, , id] = path.split('/')
  if (id === undefined) return <UserList />
  return id === 'new' ? <NewUser /> : <EditUser key={id} id={id} />
}

const columns: readonly Column<User>[] = [
  { label: texts.userName, show: ({ id, userName }) => <a href={hrefOf(`/users/${id}`)}>{userName}</a> },
  { label: common.name, show: ({ firstName, lastName }) => `${firstName} ${lastName}` },
  { label: texts.email, show: ({ email }) => email },
  {
    label: texts.roles,
    show: ({ roles }) => (
      <span class="row">
        {roles.map((role) => (
          <span class="badge" key={role}>
            {role}
          </span>
        ))}
      </span>
    ),
  },
  { label: common.state, show: ({ isActive }) => <ActiveBadge isActive={isActive} /> },
  { label: common.createdAt, show: ({ createdAt }) => <Moment value={createdAt} /> },
]

function UserList() {
  const { user, can } = useApp()
  const { query } = usePlace()
  const tenantId = query.get('tenantId') ?? undefined
  const [count, setCount] = useState(shownAtOnce)
  const loaded = useLoaded(`users ${tenantId}`, (signal) =>
    get<User[]>('/api/users', { query: { tenantId }, signal }),
  )
  const words = query.get('search') ?? ''
  const matching = loaded.data?.filter((each) => matches(each, words)) ?? null
  const show = (name: string, value: string) => {
    const next = { ...Object.fromEntries(query), [name]: value }
    goTo(hrefOf('/users', Object.fromEntries(Object.entries(next).filter(([, each]) => each !== ''))), {
      replaces: true,
    })
  }
  return (
    <div class="stack">
      <div class="row">
        <h1>{texts.title}</h1>
        {matching !== null && <span class="soft">{matching.length}</span>}
        {can('user:write') && (
          <a class="button main end" href={hrefOf('/users/new', tenantId === undefined ? {} : { tenantId })}>
            {text.action.newRow(texts.one)}
          </a>
        )}
      </div>
      <div class="row">
        <input
          class="inline"
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={words}
          onInput={(event) => show('search', event.currentTarget.value)}
        />
        {user.tenantId === hostTenantId && can('tenant:read') && (
          <TenantChoice value={tenantId ?? ''} onChange={(id) => show('tenantId', id)} />
        )}
      </div>
      <DataTable
        label={texts.title}
        columns={columns}
        loaded={{ ...loaded, data: matching?.slice(0, count) ?? null }}
        keyOf={({ id }) => id}
        empty={<p>{texts.none}</p>}
      />
      {matching !== null && matching.length > count && (
        <div class="row">
          <button type="button" onClick={() => setCount(count + shownAtOnce)}>
            {common.more}
          </button>
        </div>
      )}
    </div>
  )
}

function TenantChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { data } = useLoaded('tenants', (signal) =>
    get<{ id: string; name: string }[]>('/api/tenants', { signal }),
  )
  return (
    <select
      class="inline"
      aria-label={common.ofTenant}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{hostTenantId}</option>
      {data === null && value !== '' && <option value={value}>{value}</option>}
      {data
        ?.filter(({ id }) => id !== hostTenantId)
        .map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
    </select>
  )
}

function matches({ userName, email, firstName, lastName }: User, words: string): boolean {
  const names = `${userName} ${email} ${firstName} ${lastName}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => names.includes(word))
}
