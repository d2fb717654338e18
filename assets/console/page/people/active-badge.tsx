import { Badge } from '../../component/status-badge.tsx'
import { text } from '../../text/text.ts'

const { common } = text.administration

export function ActiveBadge({ isActive }: { isActive: boolean }) {
  return <Badge tone={isActive ? 'good' : 'bad'}>{isActive ? common.active : common.inactive}</Badge>
}
