/** The other sessions of this browser. A click switches to one of them. */
import { Tile } from '../component/tile.tsx'
import { whenLeft } from '../router.ts'
import { otherSessions, switchSession } from '../session.ts'

export function SessionList() {
  return (
    <>
      {otherSessions().map(({ id, user: { name, tenant, tenantId } }) => (
        <button type="button" key={id} onClick={() => whenLeft(() => switchSession(id))}>
          <Tile name={tenant} size="small" />
          <span class="names">
            <strong class="truncate">{tenant}</strong>
            <span class="truncate note">
              {name} · {tenantId}
            </span>
          </span>
        </button>
      ))}
    </>
  )
}
