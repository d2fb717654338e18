/** The identity provider at which the users of the tenant sign in. */
import { useState } from 'preact/hooks'
import { ApiError, get } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { Done, ErrorNotice } from '../../component/notice.tsx'
import { Secret } from '../../component/secret.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import { Domains } from './domains.tsx'
import { type Provider, type ProviderValues, providerInput } from './provider.ts'
import { ProviderForm } from './provider-form.tsx'

const texts = text.access.sso
const path = '/api/tenant/sso'

export function SingleSignOnPage() {
  const { user, can } = useApp()
  const { data, error, reload } = useLoaded(path, loadProvider)
  const [stored, setStored] = useState<{ provider: Provider | null; turn: number } | null>(null)
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data === null) return <p class="soft">{text.state.loading}</p>
  const { provider, turn } = stored ?? { provider: data.provider, turn: 0 }
  const mayWrite = can('sso:write') && user.impersonator === undefined
  const save = async (values: ProviderValues) => {
    const { body } = await requestRecent<Provider>('PUT', path, { body: providerInput(values) })
    setStored({ provider: body, turn: turn + 1 })
  }
  const remove = async () => {
    await requestRecent('DELETE', path)
    setStored({ provider: null, turn: turn + 1 })
  }
  return (
    <div class="stack">
      <h1>{texts.title}</h1>
      {stored !== null && provider !== null && <Done>{text.state.saved}</Done>}
      {provider === null ? <p class="notice">{texts.none}</p> : <Addresses provider={provider} />}
      <section class="card stack">
        <h2>{texts.provider}</h2>
        <fieldset class="bare" disabled={!mayWrite}>
          <ProviderForm key={turn} provider={provider} save={save} />
        </fieldset>
        {provider !== null && mayWrite && (
          <div class="row">
            <ActionButton kind="danger" question={texts.confirmRemove} act={remove}>
              {texts.remove}
            </ActionButton>
          </div>
        )}
      </section>
      <Domains mayWrite={mayWrite} />
    </div>
  )
}

async function loadProvider(signal: AbortSignal): Promise<{ provider: Provider | null }> {
  try {
    return { provider: await get<Provider>(path, { signal }) }
  } catch (caught) {
    if (caught instanceof ApiError && caught.status === 404) return { provider: null }
    throw caught
  }
}

function Addresses({ provider }: { provider: Provider }) {
  return (
    <section class="card stack">
      <h2>{texts.addresses}</h2>
      <dl class="values">
        {(['redirectUri', 'signOutRedirectUri', 'logoutUri'] as const).map((name) => [
          <dt key={`${name}-name`}>{texts[name]}</dt>,
          <dd key={name}>
            <Secret value={provider[name]} />
          </dd>,
        ])}
      </dl>
    </section>
  )
}
