/** Shows on every page as which user an administrator of the host acts, with a button to end it. */

import { endActing } from '../acting.ts'
import { request } from '../api.ts'
import { useApp } from '../app-context.ts'
import { text } from '../text/text.ts'
import { ActionButton } from './action-button.tsx'

const texts = text.administration.acting

export function ActingBanner() {
  const { user } = useApp()
  if (user.impersonator === undefined) return null
  const end = async () => {
    await request('POST', '/api/auth/logout', { body: {} })
    endActing()
  }
  return (
    <div class="notice acting row" role="status">
      <strong>{texts.banner(user.userName, user.tenantId)}</strong>
      <span>{texts.who(user.impersonator.userName)}</span>
      <span class="end">
        <ActionButton act={end}>{texts.end}</ActionButton>
      </span>
    </div>
  )
}
