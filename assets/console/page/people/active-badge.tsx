import { text } from '../../text/text.ts'

const { common } = text.administration

export function ActiveBadge({ isActive }: { isActive: boolean }) {
  return (
    <span class={isActive ? 'badge good' : 'badge bad'}>{isActive ? common.active : common.inactive}</span>
  )
}
