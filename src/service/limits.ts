/** Every limit of the service, in the order of `docs/limits.md`. */
import { selectionLimit, subscriptionLimit } from '../api/graphql/live/subscription-limits.ts'
import { unreadOutputLimit } from '../api/graphql/transport/client-socket.ts'
import { messageLimit } from '../api/graphql/transport/message-queue.ts'
import { operationLimit, webSocketLimit } from '../api/graphql/transport/web-socket-limiter.ts'
import { connectionLimit } from '../api/http/connection/connection-limiter.ts'
import { pipelinedRequestLimit } from '../api/http/connection/pipelined-requests.ts'
import { stalledLimit } from '../api/http/connection/stalled-reply.ts'
import { compressionLimit } from '../api/http/reply/compression.ts'
import { liveLimit, unindexedLimit } from '../api/live/live-lists.ts'
import { bodyMemoryLimit } from '../core/limits/body-memory.ts'
import { bufferLimit } from '../core/limits/buffer-budget.ts'
import { costLimit } from '../core/limits/cost-limiter.ts'
import { readLimit } from '../core/limits/read-limiter.ts'
import { replyMemoryLimit } from '../core/limits/reply-memory.ts'
import { mailingLimit, ownPolicyLimit, strictLimit } from '../core/settings/rate-limit-policy.ts'
import type { Limit } from '../database/limit.ts'
import { tenantConnectionLimit } from '../database/postgres/budget.ts'
import { scanLimit, statementLimit } from '../database/postgres/postgres-database.ts'
import { scanThreadLimit } from '../database/sqlite/scan-thread.ts'
import { bulkLimit } from '../entity/bulk/limit.ts'
import { transferLimit } from '../files/transfer.ts'
import { guessLimit } from '../identity/api-key/guess-limiter.ts'
import { hashLimit } from '../identity/password/hash-queue.ts'
import { recoveryLimit } from '../identity/recovery/recovery.ts'
import { backoffLimit } from '../identity/session/backoff.ts'
import { providerRequestLimit } from '../identity/single-sign-on/provider-limiter.ts'
import { jobLimit } from '../jobs/queue/limiter.ts'
import { causedMailLimit, mailLimit } from '../mail/queue/limiter.ts'
import { openFileLimit } from '../tenancy/open-files.ts'
import { deliveryBytesLimit, deliveryLimit } from '../webhooks/outgoing/queue/limiter.ts'

export const limits: readonly Limit[] = [
  connectionLimit,
  pipelinedRequestLimit,
  webSocketLimit,
  operationLimit,
  subscriptionLimit,
  selectionLimit,
  liveLimit,
  unindexedLimit,
  readLimit,
  bulkLimit,
  compressionLimit,
  transferLimit,
  hashLimit,
  recoveryLimit,
  providerRequestLimit,
  jobLimit,
  mailLimit,
  deliveryLimit,
  deliveryBytesLimit,
  statementLimit,
  scanLimit,
  tenantConnectionLimit,
  scanThreadLimit,
  openFileLimit,
  strictLimit,
  mailingLimit,
  ownPolicyLimit,
  backoffLimit,
  guessLimit,
  costLimit,
  causedMailLimit,
  messageLimit,
  stalledLimit,
  bodyMemoryLimit,
  replyMemoryLimit,
  bufferLimit,
  unreadOutputLimit,
]
