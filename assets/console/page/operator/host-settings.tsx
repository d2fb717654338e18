/** The settings of a tenant that only the host can change, if the application declares any. */
import { useApp } from '../../app-context.ts'
import { ErrorNotice } from '../../component/notice.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import { loadFields, loadStored, SettingsForm, writable } from '../tenant/settings-form.tsx'

const { ofHost } = text.administration.settings

/** @param path of the tenant in the API */
export function HostSettings({ path }: { path: string }) {
  const { can } = useApp()
  const address = `${path}/settings`
  const { data, error, reload } = useLoaded(address, async (signal) => {
    const fields = (await loadFields(signal)).filter(({ isReadOnly }) => isReadOnly).map(writable)
    // If there are no such settings, the service has no such endpoint.
    return fields.length === 0 ? null : { fields, stored: await loadStored(address, signal) }
  })
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data === null) return null
  return (
    <section class="card stack" aria-label={ofHost}>
      <h2>{ofHost}</h2>
      <SettingsForm path={address} loaded={data} isDisabled={!can('operation:write')} />
    </section>
  )
}
