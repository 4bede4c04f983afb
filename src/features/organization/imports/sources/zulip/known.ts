/** Members of `realm.json` that are read. */
export const knownTables: ReadonlySet<string> = new Set(
  `import_source sort_by_date zerver_alertword zerver_botconfigdata zerver_botstoragedata
  zerver_channelfolder zerver_client zerver_customprofilefield zerver_customprofilefieldvalue
  zerver_defaultstream zerver_groupgroupmembership zerver_huddle zerver_muteduser
  zerver_namedusergroup zerver_navigationview zerver_reaction zerver_realm zerver_realmauditlog
  zerver_realmdomain zerver_realmemoji zerver_realmfilter zerver_realmplayground
  zerver_realmuserdefault zerver_recipient zerver_savedsnippet zerver_scheduledmessage
  zerver_service zerver_stream zerver_submessage zerver_subscription zerver_usergroup
  zerver_usergroupmembership zerver_userpresence zerver_userprofile
  zerver_userprofile_crossrealm zerver_userprofile_mirrordummy zerver_userstatus
  zerver_usertopic zerver_presencesequence`.split(/\s+/),
)

/** Members of it that Parley does not support, or makes itself. */
export const lostTables: ReadonlySet<string> = new Set(
  `zerver_externalauthid zerver_onboardingstep zerver_onboardingusermessage
  zerver_realmauthenticationmethod zerver_realmexport zerver_useractivity
  zerver_useractivityinterval`.split(/\s+/),
)
