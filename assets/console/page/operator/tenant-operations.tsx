/** The buttons to export, move and erase a tenant. */
import { useState } from 'preact/hooks'
import { ActionButton } from '../../component/action-button.tsx'
import { Dialog } from '../../component/dialog.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { Done } from '../../component/notice.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import type { Tenant } from '../operation/tenant-type.ts'
import { MoveDialog } from './move-tenant.tsx'

const texts = text.operator.operations

interface TenantOperationsProps {
  tenant: Tenant
  /** The path of the tenant in the API. */
  path: string
}

export function TenantOperations({ tenant, path }: TenantOperationsProps) {
  const [isErasing, setErasing] = useState(false)
  const [isMoving, setMoving] = useState(false)
  const [isRequested, setRequested] = useState(false)
  const exportTenant = async () => {
    await requestRecent('POST', `${path}/export`)
    setRequested(true)
  }
  return (
    <>
      <div class="row">
        <ActionButton act={exportTenant} question={texts.exportQuestion}>
          {texts.export}
        </ActionButton>
        <button type="button" onClick={() => setMoving(true)}>
          {text.operator.move.open}
        </button>
        <button type="button" class="danger" disabled={tenant.isActive} onClick={() => setErasing(true)}>
          {texts.erase}
        </button>
        {tenant.isActive && <span class="soft">{texts.eraseActive}</span>}
      </div>
      {isRequested && (
        <Done>
          {texts.followed} <a href={hrefOf('/operations')}>{texts.title}</a>.
        </Done>
      )}
      {isMoving && <MoveDialog tenant={tenant} path={path} onClose={() => setMoving(false)} />}
      {isErasing && (
        <EraseDialog
          tenant={tenant}
          path={path}
          onClose={() => setErasing(false)}
          onDone={() => {
            setErasing(false)
            setRequested(true)
          }}
        />
      )}
    </>
  )
}

interface EraseDialogProps extends TenantOperationsProps {
  onClose: () => void
  onDone: () => void
}

function EraseDialog({ tenant, path, onClose, onDone }: EraseDialogProps) {
  const submit = async ({ typed }: { typed: string }) => {
    await requestRecent('POST', `${path}/erase`, { body: { confirm: typed } })
    onDone()
  }
  return (
    <Dialog title={texts.eraseTitle(tenant.name)} onClose={onClose}>
      <p>{texts.eraseText}</p>
      <Form
        initial={{ typed: '' }}
        button={texts.erase}
        kind="danger"
        submit={submit}
        onCancel={onClose}
        isDisabled={({ typed }) => typed !== tenant.id}
      >
        {(form) => (
          <TextField
            form={form}
            name="typed"
            label={text.administration.tenants.typeId(tenant.id)}
            isRequired
          />
        )}
      </Form>
    </Dialog>
  )
}
