/** The page of single sign-on: the identity provider at which the users of the tenant sign in. */
import { LogIn } from 'lucide'
import { useState } from 'preact/hooks'
import { ApiError, get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { ConflictDialog, type Difference } from '../../component/conflict.tsx'
import { Loading } from '../../component/loading.tsx'
import { Done, ErrorNotice } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { Secret } from '../../component/secret.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { Values } from '../../component/values.tsx'
import { type Conflict, ifMatch, type Stored, useVersionedForm } from '../../component/versioned-form.ts'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import { ClientKeys } from './client-keys.tsx'
import { Domains } from './domains.tsx'
import { type Addresses, type Provider, type ProviderValues, providerInput, valuesOf } from './provider.ts'
import { ProviderForm } from './provider-form.tsx'
import { ProviderProblems } from './provider-problems.tsx'

const texts = text.access.sso
const path = '/api/tenant/sso'

/** The stored settings; `null` while the tenant has no provider. */
type StoredProvider = Stored<Provider | null>

export function SingleSignOnPage() {
  const { user, can } = useApp()
  const { data, error, reload } = useLoaded(path, loadAll)
  const [turn, setTurn] = useState(0)
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data === null) return <Loading />
  const mayWrite = can('sso:write') && user.impersonator === undefined
  return (
    <div class="stack">
      <PageHead icon={LogIn} title={texts.title} subtitle={texts.text} />
      <AddressList addresses={data.addresses} />
      <section class="card stack">
        <h2>{texts.provider}</h2>
        <ProviderSection
          key={turn}
          initial={turn === 0 ? data.stored : { value: null, etag: null }}
          mayWrite={mayWrite}
          onRemoved={() => setTurn(turn + 1)}
        />
      </section>
      {can('audit:read') && <ProviderProblems />}
      <Domains mayWrite={mayWrite} />
    </div>
  )
}

interface SectionProps {
  initial: StoredProvider
  mayWrite: boolean
  onRemoved: () => void
}

function ProviderSection({ initial, mayWrite, onRemoved }: SectionProps) {
  const form = useVersionedForm<Provider | null, ProviderValues>({
    stored: initial,
    valuesOf,
    save,
    load: loadStored,
  })
  const { conflict, isSaved, stored } = form
  const hasKeys = stored.value?.clientAuthentication === 'private_key_jwt'
  const remove = async () => {
    await requestRecent('DELETE', path, { headers: ifMatch(stored.etag) })
    onRemoved()
  }
  return (
    <>
      {stored.value === null && <p class="notice">{texts.none}</p>}
      <fieldset class="bare" disabled={!mayWrite}>
        <ProviderForm form={form} isNew={stored.value === null} />
      </fieldset>
      {isSaved && <Done>{text.state.saved}</Done>}
      {hasKeys && <ClientKeys mayWrite={mayWrite} />}
      {stored.value !== null && mayWrite && (
        <div class="row">
          <ActionButton kind="danger" question={texts.confirmRemove} act={remove}>
            {texts.remove}
          </ActionButton>
        </div>
      )}
      {conflict !== null && (
        <ConflictDialog title={texts.changed} differences={differencesOf(conflict)} conflict={conflict} />
      )}
    </>
  )
}

/** Saves the provider. One that somebody else has set up meanwhile is not overwritten. */
async function save(values: ProviderValues, { etag }: StoredProvider): Promise<StoredProvider> {
  const headers = etag === null ? { 'if-none-match': '*' } : ifMatch(etag)
  const answer = await requestRecent<Provider>('PUT', path, { body: providerInput(values), headers })
  return { value: answer.body, etag: answer.headers.get('etag') }
}

async function loadStored(): Promise<StoredProvider> {
  try {
    const { body, headers } = await request<Provider>('GET', path)
    return { value: body, etag: headers.get('etag') }
  } catch (caught) {
    if (caught instanceof ApiError && caught.status === 404) return { value: null, etag: null }
    throw caught
  }
}

async function loadAll(signal: AbortSignal): Promise<{ stored: StoredProvider; addresses: Addresses }> {
  const [stored, addresses] = await Promise.all([
    loadStored(),
    get<Addresses>(`${path}/addresses`, { signal }),
  ])
  return { stored, addresses }
}

/** @returns the differences without the secret, which cannot be read again and so cannot be compared */
function differencesOf({ overlap, yours, theirs }: Conflict<ProviderValues>): Difference[] {
  const { clientSecret: _secret, groups: _groups, ...plain } = yours
  const names = Object.keys(plain) as (keyof typeof plain)[] // the names come from the line above
  const labels = { ...texts, breakGlassUserId: texts.breakGlass, domainHint: texts.domainHintLabel }
  const shown = names.map((name) => ({
    name,
    label: labels[name],
    yours: show(yours[name]),
    theirs: show(theirs[name]),
  }))
  const groups = { name: 'groups', label: texts.groups, yours: groupsOf(yours), theirs: groupsOf(theirs) }
  return [...shown, groups].filter(({ name }) => overlap.includes(name))
}

function groupsOf({ groups }: ProviderValues): string {
  return groups.map(({ group, roles }) => `${group}: ${roles.join(', ')}`).join('; ')
}

function show(value: string | boolean | readonly string[]): string {
  if (typeof value === 'boolean') return value ? text.state.yes : text.state.no
  return typeof value === 'string' ? value : value.join(', ')
}

function AddressList({ addresses }: { addresses: Addresses }) {
  return (
    <section class="card stack">
      <h2>{texts.addresses}</h2>
      <Values
        values={(['redirectUri', 'signOutRedirectUri', 'logoutUri', 'jwksUri'] as const).map((name) => [
          texts[name],
          <Secret key={name} value={addresses[name]} />,
        ])}
      />
    </section>
  )
}
