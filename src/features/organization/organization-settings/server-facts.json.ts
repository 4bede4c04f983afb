import { thumbnailFormatsJson } from '#features/files/thumbnails/formats.ts'
import { canSendMail } from '#features/foundation/mail/actions.ts'
import {
  defaultJitsiServer,
  externalAccounts,
  gifRatings,
  reportTypes,
} from '#features/foundation/realm/choices.ts'
import {
  limits,
  maxBulkNewSubscriptionMessages,
  pictureLimits,
} from '#features/foundation/realm/limits.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { presenceTimes, typingTimes } from '#features/foundation/realm/times.ts'
import { passwordLengths } from '#features/foundation/users/passwords.ts'
import { gifProvider } from '#features/integrations/gifs/provider.ts'
import { emojiDataPath } from '#features/messaging/emoji/urls.ts'
import { arePhonesNotified } from '#features/notifications/phone-push/queries.ts'
import { splitAddress } from '#platform/config/split-address.ts'
import type { Context } from '#platform/context.ts'
import type { Read } from '#platform/store/store.ts'
import { featureLevel, zulipVersion } from '#platform/version.ts'

/** The API version, which determines the features that clients use. */
export function versionFacts(server: Context) {
  return {
    zulip_version: zulipVersion,
    zulip_merge_base: zulipVersion,
    zulip_feature_level: server.config.announcedFeatureLevel ?? featureLevel,
  }
}

/**
 * The members of the register reply that depend on the server, not on the organization.
 *
 * @param extended whether the client asked for `extended_members`
 */
export function serverFacts(read: Read, server: Context, extended: boolean) {
  return {
    ...limitFacts(server),
    server_generation: server.startedAt,
    development_environment: server.config.fixture,
    server_emoji_data_url: emojiDataPath,
    server_jitsi_server_url: defaultJitsiServer,
    server_presence_ping_interval_seconds: presenceTimes.pingSeconds,
    server_presence_offline_threshold_seconds: presenceTimes.offlineSeconds,
    server_typing_started_expiry_period_milliseconds: typingTimes.expiryMilliseconds,
    server_typing_stopped_wait_period_milliseconds: typingTimes.stoppedMilliseconds,
    server_typing_started_wait_period_milliseconds: typingTimes.startedMilliseconds,
    server_inline_url_embed_preview: server.config.linkPreviews,
    server_web_public_streams_enabled: server.config.webPublicChannels,
    settings_send_digest_emails: canSendMail(server.config),
    giphy_rating_options: gifRatings,
    realm_default_external_accounts: externalAccounts,
    server_thumbnail_formats: thumbnailFormatsJson(),
    realm_push_notifications_enabled: arePhonesNotified(read),
    ...abilities,
    ...(extended && extendedFacts(read, server)),
  }
}

function extendedFacts(read: Read, { config }: Context) {
  return {
    server_data_id: requireRealm(read).dataId,
    server_report_message_types: reportTypes,
    server_can_send_mail: canSendMail(config),
    server_takes_mail: config.mailGateway !== null,
    server_owners_operate: config.ownersOperate,
    server_nextcloud_url: config.nextcloudUrl && splitAddress(config.nextcloudUrl).base,
    server_constructor_groups_url:
      config.constructorGroupsUrl && new URL(config.constructorGroupsUrl).origin,
    server_gif_provider:
      config.gifsUrl !== null && config.externalContent
        ? (gifProvider(config.gifsUrl) ?? null)
        : null,
    server_zoom_url: config.zoomUrl && splitAddress(config.zoomUrl).base,
  }
}

function limitFacts(server: Context) {
  const { least, most } = passwordLengths(server.config)
  return {
    max_message_length: limits.messageLength,
    max_topic_length: limits.topicLength,
    max_stream_name_length: limits.channelNameLength,
    max_stream_description_length: limits.channelDescriptionLength,
    max_channel_folder_name_length: limits.channelFolderNameLength,
    max_channel_folder_description_length: limits.channelFolderDescriptionLength,
    max_reminder_note_length: limits.reminderNoteLength,
    max_bulk_new_subscription_messages: maxBulkNewSubscriptionMessages,
    max_file_upload_size_mib: server.config.maxFileUploadMib,
    realm_upload_quota_mib: server.config.uploadQuotaMib,
    max_avatar_file_size_mib: pictureLimits.avatar,
    max_icon_file_size_mib: pictureLimits.icon,
    max_logo_file_size_mib: pictureLimits.logo,
    password_min_length: least,
    password_max_length: most,
    // There is no password strength check.
    password_min_guesses: 0,
  }
}

/** Features that are the same on every installation. */
const abilities = {
  // Owners choose freely whether and when a deactivated organization is deleted.
  server_min_deactivated_realm_deletion_days: null,
  server_max_deactivated_realm_deletion_days: null,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_can_summarize_topics: false,
  server_inline_image_preview: true,
  server_needs_upgrade: false,
  realm_push_notifications_enabled_end_timestamp: null,
  // Self-hosted: there is only one plan.
  realm_plan_type: 1,
  zulip_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: '',
} as const
