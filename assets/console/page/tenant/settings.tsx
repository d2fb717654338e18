/** The page of the tenant's settings, including those of the application. */
import { Settings2 } from 'lucide'
import { useApp } from '../../app-context.ts'
import { loadBrand } from '../../brand.ts'
import { Loading } from '../../component/loading.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import type { FieldDescription, Values } from '../../describe.ts'
import { FieldInputs } from '../../entity/fields.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import { BrandPreview } from './brand-preview.tsx'
import { Logos } from './logos.tsx'
import { loadSettings, ownSettings, type Settings, SettingsForm, writable } from './settings-form.tsx'

const texts = text.administration.settings

export function SettingsPage() {
  const { data, error, reload } = useLoaded(ownSettings, (signal) => loadSettings(ownSettings, signal))
  return (
    <div class="stack">
      <PageHead icon={Settings2} title={texts.title} subtitle={texts.hint} />
      {error !== null && <ErrorNotice error={error} retry={reload} />}
      {data !== null && <OwnSettings loaded={data} />}
      {data === null && error === null && <Loading />}
    </div>
  )
}

function OwnSettings({ loaded: { stored, fields: all } }: { loaded: Settings }) {
  const { can } = useApp()
  const fields = can('operation:write') ? all.map(writable) : all
  return (
    <SettingsForm
      path={ownSettings}
      loaded={{ stored, fields }}
      isDisabled={!can('setting:write')}
      preview={{ below: 'brandAccentColor', show: (shown) => <BrandPreview values={shown} /> }}
      onSaved={() => void loadBrand()}
    >
      <OfHost fields={fields} values={stored.value} />
      <Logos />
    </SettingsForm>
  )
}

/** The settings that only the host can change, which are shown in disabled inputs. */
function OfHost({ fields, values }: { fields: readonly FieldDescription[]; values: Values }) {
  const shown = fields.filter(({ isReadOnly }) => isReadOnly)
  if (shown.length === 0) return null
  return (
    <fieldset class="bare stack" disabled>
      <legend>{texts.ofHost}</legend>
      <div class="fields">
        <FieldInputs
          fields={shown.map(writable)}
          values={values}
          faults={new Map()}
          onChange={() => undefined}
        />
      </div>
    </fieldset>
  )
}
