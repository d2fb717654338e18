import { useIsLost } from '../connection.ts'
import { text } from '../text/text.ts'

/** Above the page, which it covers instead of moving it. */
export function OfflineBanner() {
  const isLost = useIsLost()
  return (
    <div class="offline" role="status">
      {isLost && <p class="notice warn">{text.state.lost}</p>}
    </div>
  )
}
