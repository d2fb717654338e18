/** The parts of mail: the transport, its limits, and the settings for the rest of the service. */
import type { Config } from '../core/settings/config.ts'
import { foldTenantId } from '../core/tenant/tenant-id.ts'
import { defaultMailLimits } from '../mail/queue/limiter.ts'
import { createTransport } from '../mail/transport/create.ts'
import type { LoggedOptions } from './service-options.ts'

export function createMail(
  config: Config,
  { log, mailTransport, mailLimits, mailServerCa: ca }: LoggedOptions,
) {
  const limits = { ...defaultMailLimits, ...mailLimits }
  const { deadlineMs, perAddressPerHour: perAddress, perTenantPerHour: perTenant } = limits
  const {
    mailNewTenantPerDay: newTenantPerDay,
    mailNetworkPerDay: perNetworkPerDay,
    mailPerDay: perDay,
  } = config
  const trustedTenants = new Set(config.mailTrustedTenants.map(foldTenantId))
  const quotas = { newTenantPerDay, perNetworkPerDay, perDay, trustedTenants }
  const transport = mailTransport ?? createTransport(config, { log, deadlineMs, ca })
  // Only a transport for development keeps mails, so that they can be read.
  const readKept = transport?.read?.bind(transport) ?? null
  return {
    transport,
    limits,
    settings: { isConfigured: transport !== null, readKept, perAddress, perTenant, ...quotas },
  }
}
