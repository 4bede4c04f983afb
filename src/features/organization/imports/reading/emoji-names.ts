import type { EmojiRef } from '#features/organization/imports/stream.ts'
import { emojiByName } from '#platform/emoji-data/unicode.ts'
import { once } from '#platform/memo.ts'

/**
 * Codes of emoji with the names that Slack, Mattermost, Rocket.Chat and Discord give them, as far as
 * Parley gives them others, or gives these to others.
 *
 * @source emojibase-data 17, short codes "iamcal", "joypixels" and "github"
 */
const table = `
  2139 information_source information; 2194 left_right_arrow; 2195 arrow_up_down up_down_arrow; 2196 arrow_upper_left
  up_left_arrow; 2197 arrow_upper_right; 2198 arrow_lower_right; 2199 arrow_lower_left; 2611 ballot_box_with_check; 2614
  umbrella_with_rain_drops umbrella; 2622 radioactive_sign; 2623 biohazard_sign; 2639 white_frowning_face frowning2
  frowning_face; 2668 hotsprings; 2694 crossed_swords; 2695 staff_of_aesculapius; 2705 white_check_mark; 2714
  heavy_check_mark; 2716 heavy_multiplication_x; 2734 eight_pointed_black_star; 2757 heavy_exclamation_mark; 2763
  heavy_heart_exclamation_mark_ornament heavy_heart_exclamation; 2795 heavy_plus_sign; 2796 heavy_minus_sign; 2797
  heavy_division_sign; 2934 arrow_heading_up; 2935 arrow_heading_down; 3297 congratulations; 3299 secret; 002a-20e3
  keycap_star keycap_asterisk; 1f0cf black_joker; 1f17e o2; 1f197 ok; 1f199 up; 1f1e8-1f1f3 cn; 1f1e9-1f1ea de;
  1f1ea-1f1f8 es; 1f1eb-1f1f7 fr; 1f1ec-1f1e7 gb uk; 1f1ee-1f1f9 it; 1f1ef-1f1f5 jp; 1f1f0-1f1f7 kr; 1f1f7-1f1fa ru;
  1f1fa-1f1f3 flag-un; 1f1fa-1f1f8 us; 1f202 sa; 1f303 night_with_stars; 1f304 sunrise_over_mountains; 1f306 city_sunset
  city_dusk; 1f309 bridge_at_night; 1f310 globe_with_meridians; 1f314 moon waxing_gibbous_moon; 1f319 crescent_moon;
  1f31a new_moon_with_face; 1f31b first_quarter_moon_with_face; 1f31d full_moon_with_face; 1f31e sun_with_face; 1f31f
  star2; 1f320 stars; 1f324 sun_small_cloud white_sun_small_cloud white_sun_with_small_cloud sun_behind_small_cloud;
  1f325 barely_sunny sun_behind_cloud white_sun_cloud white_sun_behind_cloud sun_behind_large_cloud; 1f326
  partly_sunny_rain sun_behind_rain_cloud white_sun_rain_cloud white_sun_behind_cloud_with_rain; 1f327 rain_cloud
  cloud_rain cloud_with_rain; 1f328 snow_cloud cloud_snow cloud_with_snow; 1f329 lightning_cloud cloud_lightning
  cloud_with_lightning; 1f32a tornado_cloud cloud_tornado cloud_with_tornado; 1f32c wind_blowing_face wind_face; 1f356
  meat_on_bone; 1f357 poultry_leg; 1f359 rice_ball; 1f364 fried_shrimp; 1f365 fish_cake; 1f366 icecream; 1f36b
  chocolate_bar; 1f36f honey_pot; 1f373 fried_egg; 1f377 wine_glass; 1f37d knife_fork_plate fork_knife_plate
  plate_with_cutlery; 1f383 jack_o_lantern; 1f384 christmas_tree; 1f38a confetti_ball; 1f391 rice_scene; 1f392
  school_satchel; 1f396 medal medal_military; 1f39e film_frames film_strip; 1f39f admission_tickets tickets; 1f3a0
  carousel_horse; 1f3a3 fishing_pole_and_fish fishing_pole; 1f3a9 tophat; 1f3aa circus_tent; 1f3ab ticket; 1f3ac clapper
  clapper_board; 1f3af dart; 1f3b1 8ball; 1f3b2 game_die; 1f3b4 flower_playing_cards; 1f3b5 musical_note; 1f3b6 notes;
  1f3bd running_shirt_with_sash; 1f3c4 surfer person_surfing; 1f3c5 sports_medal medal_sports; 1f3c8 football; 1f3c9
  rugby_football; 1f3ca swimmer person_swimming; 1f3cb weight_lifter person_lifting_weights lifter weight_lifting; 1f3cc
  golfer person_golfing golfing; 1f3cd racing_motorcycle; 1f3ce racing_car race_car; 1f3cf cricket_bat_and_ball
  cricket_game cricket_bat_ball; 1f3d1 field_hockey_stick_and_ball; 1f3d2 ice_hockey_stick_and_puck hockey; 1f3d3
  table_tennis_paddle_and_ball; 1f3d4 snow_capped_mountain mountain_snow; 1f3d5 camping; 1f3d6 beach_with_umbrella
  beach_umbrella; 1f3d7 building_construction construction_site; 1f3d8 house_buildings homes; 1f3d9 cityscape; 1f3da
  derelict_house_building house_abandoned; 1f3dd desert_island; 1f3e1 house_with_garden; 1f3e3 post_office; 1f3e4
  european_post_office; 1f3ef japanese_castle; 1f3f0 european_castle; 1f3f3 waving_white_flag flag_white; 1f3f4
  waving_black_flag flag_black; 1f3f8 badminton_racquet_and_shuttlecock; 1f401 mouse2; 1f404 cow2; 1f405 tiger2; 1f407
  rabbit2; 1f408 cat2; 1f40b whale2; 1f40e racehorse; 1f415 dog2; 1f416 pig2; 1f41e lady_beetle; 1f425 hatched_chick;
  1f42a dromedary_camel; 1f42d mouse mouse_face; 1f42e cow cow_face; 1f42f tiger tiger_face; 1f430 rabbit rabbit_face;
  1f431 cat cat_face; 1f434 horse horse_face; 1f436 dog dog_face; 1f437 pig pig_face; 1f43c panda_face; 1f43e feet;
  1f446 point_up_2; 1f44a facepunch oncoming_fist fist_oncoming; 1f44c ok_hand; 1f44d thumbsup thumbup; 1f44e thumbsdown
  thumbdown; 1f452 womans_hat; 1f453 eyeglasses; 1f454 necktie; 1f45a womans_clothes; 1f45e mans_shoe; 1f460 high_heel;
  1f464 bust_in_silhouette; 1f465 busts_in_silhouette; 1f468-200d-1f33e male-farmer; 1f468-200d-1f373 male-cook;
  1f468-200d-1f393 male-student; 1f468-200d-1f3a4 male-singer; 1f468-200d-1f3a8 male-artist; 1f468-200d-1f3eb
  male-teacher; 1f468-200d-1f3ed male-factory-worker; 1f468-200d-1f466-200d-1f466 man-boy-boy; 1f468-200d-1f466 man-boy;
  1f468-200d-1f467-200d-1f466 man-girl-boy; 1f468-200d-1f467-200d-1f467 man-girl-girl; 1f468-200d-1f467 man-girl;
  1f468-200d-1f468-200d-1f466 man-man-boy; 1f468-200d-1f468-200d-1f466-200d-1f466 man-man-boy-boy;
  1f468-200d-1f468-200d-1f467 man-man-girl; 1f468-200d-1f468-200d-1f467-200d-1f466 man-man-girl-boy;
  1f468-200d-1f468-200d-1f467-200d-1f467 man-man-girl-girl; 1f468-200d-1f469-200d-1f466 man-woman-boy;
  1f468-200d-1f469-200d-1f466-200d-1f466 man-woman-boy-boy; 1f468-200d-1f469-200d-1f467 man-woman-girl;
  1f468-200d-1f469-200d-1f467-200d-1f466 man-woman-girl-boy; 1f468-200d-1f469-200d-1f467-200d-1f467 man-woman-girl-girl;
  1f468-200d-1f4bb male-technologist; 1f468-200d-1f4bc male-office-worker; 1f468-200d-1f527 male-mechanic;
  1f468-200d-1f52c male-scientist; 1f468-200d-1f680 male-astronaut; 1f468-200d-1f692 male-firefighter; 1f468-200d-2695
  male-doctor; 1f468-200d-2696 male-judge; 1f468-200d-2708 male-pilot; 1f468-200d-2764-200d-1f468 man-heart-man;
  1f468-200d-2764-200d-1f48b-200d-1f468 man-kiss-man; 1f469-200d-1f33e female-farmer; 1f469-200d-1f373 female-cook;
  1f469-200d-1f393 female-student; 1f469-200d-1f3a4 female-singer; 1f469-200d-1f3a8 female-artist; 1f469-200d-1f3eb
  female-teacher; 1f469-200d-1f3ed female-factory-worker; 1f469-200d-1f466-200d-1f466 woman-boy-boy; 1f469-200d-1f466
  woman-boy; 1f469-200d-1f467-200d-1f466 woman-girl-boy; 1f469-200d-1f467-200d-1f467 woman-girl-girl; 1f469-200d-1f467
  woman-girl; 1f469-200d-1f469-200d-1f466 woman-woman-boy; 1f469-200d-1f469-200d-1f466-200d-1f466 woman-woman-boy-boy;
  1f469-200d-1f469-200d-1f467 woman-woman-girl; 1f469-200d-1f469-200d-1f467-200d-1f466 woman-woman-girl-boy;
  1f469-200d-1f469-200d-1f467-200d-1f467 woman-woman-girl-girl; 1f469-200d-1f4bb female-technologist; 1f469-200d-1f4bc
  female-office-worker; 1f469-200d-1f527 female-mechanic; 1f469-200d-1f52c female-scientist; 1f469-200d-1f680
  female-astronaut; 1f469-200d-1f692 female-firefighter; 1f469-200d-2695 female-doctor; 1f469-200d-2696 female-judge;
  1f469-200d-2708 female-pilot; 1f469-200d-2764-200d-1f468 woman-heart-man; 1f469-200d-2764-200d-1f469
  woman-heart-woman; 1f469-200d-2764-200d-1f48b-200d-1f468 woman-kiss-man; 1f469-200d-2764-200d-1f48b-200d-1f469
  woman-kiss-woman; 1f46b woman_and_man_holding_hands couple; 1f46c men_holding_hands; 1f46d women_holding_hands;
  1f46e-200d-2640 female-police-officer; 1f46e-200d-2642 male-police-officer; 1f46f-200d-2640
  woman-with-bunny-ears-partying; 1f46f-200d-2642 man-with-bunny-ears-partying; 1f470 bride_with_veil person_with_veil;
  1f472 man_with_gua_pi_mao man_with_chinese_cap; 1f473 man_with_turban person_wearing_turban person_with_turban;
  1f477-200d-2640 female-construction-worker; 1f477-200d-2642 male-construction-worker; 1f479 japanese_ogre; 1f47a
  japanese_goblin; 1f482-200d-2640 female-guard; 1f482-200d-2642 male-guard; 1f482 guardsman; 1f48b kiss kiss_mark;
  1f497 heartpulse; 1f49f heart_decoration; 1f4a0 diamond_shape_with_a_dot_inside; 1f4a7 droplet; 1f4a9 hankey shit poo;
  1f4ab dizzy; 1f4ad thought_balloon; 1f4b0 moneybag money_bag; 1f4b1 currency_exchange; 1f4b2 heavy_dollar_sign; 1f4b4
  yen yen_banknote; 1f4b5 dollar; 1f4b6 euro euro_banknote; 1f4b7 pound; 1f4b9 chart; 1f4c2 open_file_folder; 1f4c3
  page_with_curl; 1f4c4 page_facing_up; 1f4c5 date; 1f4c6 calendar; 1f4c8 chart_with_upwards_trend; 1f4c9
  chart_with_downwards_trend; 1f4cc pushpin; 1f4cd round_pushpin; 1f4cf straight_ruler; 1f4d1 bookmark_tabs; 1f4d4
  notebook_with_decorative_cover; 1f4dd pencil; 1f4de telephone_receiver; 1f4e3 mega; 1f4e4 outbox_tray; 1f4e5
  inbox_tray; 1f4e8 incoming_envelope; 1f4e9 envelope_with_arrow; 1f4ea mailbox_closed; 1f4ec mailbox_with_mail; 1f4ed
  mailbox_with_no_mail; 1f4ee postbox; 1f4ef postal_horn; 1f4f0 newspaper; 1f4f4 mobile_phone_off; 1f4f5
  no_mobile_phones; 1f4f8 camera_with_flash camera_flash; 1f4fd film_projector; 1f500 twisted_rightwards_arrows; 1f503
  arrows_clockwise; 1f504 arrows_counterclockwise; 1f509 sound; 1f50a loud_sound; 1f50d mag; 1f50f lock_with_ink_pen;
  1f510 closed_lock_with_key; 1f512 lock; 1f513 unlock; 1f515 no_bell; 1f51f keycap_ten; 1f532 black_square_button;
  1f533 white_square_button; 1f535 large_blue_circle; 1f53a small_red_triangle; 1f53b small_red_triangle_down; 1f53c
  arrow_up_small; 1f53d arrow_down_small; 1f549 om_symbol; 1f54e menorah_with_nine_branches; 1f557 clock8 eight_oclock;
  1f574 man_in_business_suit_levitating levitate business_suit_levitating; 1f575 sleuth_or_spy; 1f57a man_dancing
  male_dancer; 1f587 linked_paperclips paperclips; 1f58a lower_left_ballpoint_pen pen_ballpoint; 1f58b
  lower_left_fountain_pen pen_fountain; 1f58c lower_left_paintbrush; 1f58d lower_left_crayon; 1f590
  raised_hand_with_fingers_splayed hand_splayed; 1f595 reversed_hand_with_middle_finger_extended fu; 1f596 spock-hand
  vulcan raised_hand_with_part_between_middle_and_ring_fingers vulcan_salute; 1f5b1 three_button_mouse
  mouse_three_button; 1f5bc frame_with_picture frame_photo; 1f5c2 card_index_dividers dividers; 1f5c3 card_file_box
  card_box; 1f5d2 spiral_note_pad notepad_spiral; 1f5de rolled_up_newspaper newspaper2 newspaper_roll; 1f5e1
  dagger_knife; 1f5e3 speaking_head_in_silhouette; 1f5e8 left_speech_bubble speech_left; 1f5ef right_anger_bubble
  anger_right; 1f5f3 ballot_box_with_ballot; 1f601 grin; 1f604 smile; 1f606 satisfied; 1f610 neutral_face; 1f617 kissing
  kissing_face; 1f618 kissing_heart; 1f619 kissing_smiling_eyes; 1f61a kissing_closed_eyes; 1f61c
  stuck_out_tongue_winking_eye; 1f628 fearful fearful_face; 1f62b tired_face; 1f635 dizzy_face; 1f63f crying_cat_face;
  1f641 slightly_frowning_face; 1f642 slightly_smiling_face slight_smile simple_smile; 1f643 upside_down_face; 1f644
  face_with_rolling_eyes roll_eyes; 1f645 no_good person_gesturing_no; 1f646 ok_woman person_gesturing_ok ok_person;
  1f64e person_with_pouting_face; 1f684 bullettrain_side; 1f685 bullettrain_front; 1f686 train2; 1f687 metro; 1f68a
  tram; 1f68b train tram_car; 1f68e trolleybus; 1f68f busstop; 1f697 red_car automobile; 1f699 blue_car; 1f69a truck;
  1f69b articulated_lorry; 1f6a5 traffic_light; 1f6a7 construction; 1f6a9 triangular_flag_on_post; 1f6ab no_entry_sign;
  1f6b4 bicyclist person_biking; 1f6b5 mountain_bicyclist person_mountain_biking; 1f6bc baby_symbol; 1f6c5 left_luggage;
  1f6cc sleeping_accommodation person_in_bed sleeping_bed; 1f6ec airplane_arriving flight_arrival; 1f6f4 scooter; 1f6f5
  motor_scooter motorbike; 1f7e0 large_orange_circle; 1f7e1 large_yellow_circle; 1f7e2 large_green_circle; 1f7e3
  large_purple_circle; 1f7e4 large_brown_circle; 1f7e5 large_red_square; 1f7e6 large_blue_square; 1f7e7
  large_orange_square; 1f7e8 large_yellow_square; 1f7e9 large_green_square; 1f7ea large_purple_square; 1f7eb
  large_brown_square; 1f910 zipper_mouth_face zipper_mouth; 1f911 money_mouth_face money_mouth; 1f913 nerd_face; 1f914
  thinking_face; 1f915 face_with_head_bandage; 1f916 robot_face; 1f917 hugging_face hugging hugs; 1f918 the_horns metal;
  1f919 call_me_hand; 1f91a raised_back_of_hand back_of_hand; 1f91b left-facing_fist left_facing_fist fist_left; 1f91c
  right-facing_fist right_facing_fist fist_right; 1f91e crossed_fingers hand_with_index_and_middle_fingers_crossed
  hand_with_index_and_middle_finger_crossed; 1f91f i_love_you_hand_sign; 1f920 face_with_cowboy_hat cowboy_hat_face;
  1f921 clown_face; 1f922 nauseated_face sick; 1f924 drooling_face drool; 1f925 lying_face liar; 1f927 sneezing_face
  sneeze; 1f928 face_with_one_eyebrow_raised; 1f929 grinning_face_with_star_eyes; 1f92a
  grinning_face_with_one_large_and_one_small_eye; 1f92b face_with_finger_covering_closed_lips; 1f92c
  serious_face_with_symbols_covering_mouth; 1f92d smiling_face_with_smiling_eyes_and_hand_covering_mouth; 1f92e
  face_with_open_mouth_vomiting; 1f92f shocked_face_with_exploding_head; 1f930 pregnant_woman expecting_woman; 1f935
  person_in_tuxedo; 1f938 person_doing_cartwheel cartwheeling; 1f93a fencer person_fencing; 1f93c-200d-2640
  woman-wrestling; 1f93c-200d-2642 man-wrestling; 1f93c wrestlers people_wrestling; 1f941 drum_with_drumsticks; 1f942
  clinking_glasses champagne_glass clinking_glass; 1f943 tumbler_glass whisky; 1f945 goal_net; 1f947 first_place_medal
  1st_place_medal; 1f948 second_place_medal 2nd_place_medal; 1f949 third_place_medal 3rd_place_medal; 1f94b
  martial_arts_uniform karate_uniform; 1f956 baguette_bread french_bread; 1f957 green_salad; 1f958 shallow_pan_of_food;
  1f95d kiwifruit kiwi_fruit; 1f981 lion_face; 1f984 unicorn_face; 1f98a fox_face; 1f992 giraffe_face; 1f993 zebra_face;
  1f997 cricket; 1f9b8-200d-2640 female_superhero; 1f9b8-200d-2642 male_superhero; 1f9b9-200d-2640 female_supervillain;
  1f9b9-200d-2642 male_supervillain; 1f9c0 cheese_wedge; 1f9c9 mate_drink; 1f9d1-200d-1f52c scientist; 1f9d1-200d-1f9b0
  red_haired_person; 1f9d1-200d-1f9b1 curly_haired_person; 1f9d1-200d-1f9b2 bald_person; 1f9d1-200d-1f9b3
  white_haired_person; 1f9d4-200d-2640 woman_with_beard; 1f9d4-200d-2642 man_with_beard; 1f9d5 person_with_headscarf;
  1f9d9-200d-2640 female_mage; 1f9d9-200d-2642 male_mage; 1f9da-200d-2640 female_fairy; 1f9da-200d-2642 male_fairy;
  1f9db-200d-2640 female_vampire; 1f9db-200d-2642 male_vampire; 1f9dd-200d-2640 female_elf; 1f9dd-200d-2642 male_elf;
  1f9de-200d-2640 female_genie; 1f9de-200d-2642 male_genie; 1f9df-200d-2640 female_zombie; 1f9df-200d-2642 male_zombie;
  1f9fe receipt; 1fab2 beetle; 21a9 leftwards_arrow_with_hook; 21aa arrow_right_hook; 231b hourglass; 23eb
  arrow_double_up; 23ec arrow_double_down; 23ed black_right_pointing_double_triangle_with_vertical_bar track_next
  next_track_button; 23ee black_left_pointing_double_triangle_with_vertical_bar track_previous previous_track_button;
  23ef black_right_pointing_triangle_with_double_vertical_bar play_or_pause_button; 23f2 timer_clock; 23f3
  hourglass_flowing_sand; 23f8 double_vertical_bar pause_button; 23f9 black_square_for_stop; 23fa
  black_circle_for_record record_button; 25b6 arrow_forward; 25c0 arrow_backward; 261d point_up; 262e peace_symbol; 269b
  atom_symbol; 26c4 snowman_without_snow snowman; 26c8 thunder_cloud_and_rain thunder_cloud_rain
  cloud_with_lightning_and_rain; 26d1 helmet_with_white_cross helmet_with_cross rescue_worker_helmet; 26f1
  umbrella_on_ground parasol_on_ground; 26f3 golf flag_in_hole; 26f9 person_with_ball person_bouncing_ball
  basketball_player bouncing_ball_person; 26fd fuelpump; 270c v victory_hand; 270d writing_hand; 270f pencil2; 271d
  latin_cross; 274c x; 274e negative_squared_cross_mark; 27a1 arrow_right right_arrow; 27b0 curly_loop; 27bf loop; 2b05
  arrow_left left_arrow; 2b06 arrow_up up_arrow; 2b07 arrow_down down_arrow; 2b55 o; 303d part_alternation_mark; 2122
  trade_mark; 2600 sun; 2602 umbrella2 open_umbrella; 2603 snowman2 snowman_with_snow; 2615 hot_beverage; 2620
  skull_crossbones; 2660 spade_suit; 2663 club_suit; 2665 heart_suit; 2666 diamond_suit; 2692 hammer_pick; 2696
  balance_scale; 2753 question_mark; 2764 red_heart; 1f600 grinning_face; 1f609 winking_face; 1f60c relieved_face; 1f60f
  smirking_face; 1f612 unamused_face; 1f614 pensive_face; 1f61f worried_face; 1f615 confused_face; 1f629 weary_face;
  1f622 crying_face; 1f620 angry_face; 1f621 pouting_face pout; 1f633 flushed_face; 1f62f hushed_face; 1f634
  sleeping_face; 1f62a sleepy_face; 1f912 thermometer_face; 1f480 skeleton; 1f47e alien_monster; 1f63a grinning_cat;
  1f64c raising_hands; 1f91d shaking_hands; 270a raised_fist fist_raised; 1f44b waving_hand; 1f4aa flexed_biceps; 1f64f
  folded_hands; 1f475 grandma old_woman; 1f474 old_man; 1f46e police_officer; 1f385 santa_claus; 1f47c baby_angel; 1f647
  person_bowing; 1f64b person_raising_hand; 1f926 person_facepalming facepalm; 1f937 person_shrugging; 1f487
  person_getting_haircut; 1f486 person_getting_massage; 1f483 woman_dancing; 1f46f people_with_bunny_ears_partying;
  1f6b6 person_walking; 1f3c3 person_running; 1f455 t_shirt; 1f461 womans_sandal; 1f462 womans_boot; 1f45d clutch_bag;
  1f98f rhino; 1f411 ewe; 1f33e sheaf_of_rice; 1f940 wilted_rose; 1f4a8 dashing_away; 1f30a water_wave; 1f34e red_apple;
  1f33d ear_of_corn; 1f32d hot_dog; 1f35f french_fries; 1f959 stuffed_pita; 1f35c steaming_bowl; 1f372 pot_of_food;
  1f35b curry_rice; 1f371 bento_box; 1f35a cooked_rice; 1f370 shortcake; 1f382 birthday_cake; 1f36e pudding; 1f95c
  shelled_peanut; 1f37a beer_mug; 1f37e bottle_with_popping_cork; 26bd soccer_ball; 1f94a boxing_gloves; 1f3bf skis;
  1f93e person_playing_handball handball_person; 1f93d person_playing_water_polo; 1f6a3 person_rowing_boat; 1f939
  person_juggling juggler juggling_person; 1f3a7 headphone; 1f682 locomotive; 1f6e9 airplane_small; 1f6f0
  satellite_orbital artificial_satellite; 1f6f6 kayak; 1f6e5 motorboat; 1f6f3 cruise_ship; 1f5ff moai; 1f6e4
  railroad_track; 1f5fe map_of_japan; 1f3de park; 1f307 sunset; 1f5a5 desktop; 1f5dc clamp; 1f4bd computer_disk; 1f4bf
  optical_disk; 1f4e0 fax_machine; 1f399 microphone2; 1f570 clock mantlepiece_clock; 1f4e1 satellite; 1f6e2 oil; 1f48e
  gem_stone; 1f52b pistol; 1f52a kitchen_knife; 1f6ac cigarette; 26b1 urn; 1f488 barber_pole; 1f6ce bellhop; 1f5dd key2;
  1f6cb couch; 1f381 wrapped_gift; 1f389 party_popper; 1f4e7 email e_mail; 1f493 beating_heart; 1f6d0 worship_symbol;
  264f scorpio; 1f6af no_littering; 24c2 circled_m; 1f6b9 mens_room; 1f6ba womens_room; 1f4f6 antenna_bars; 1f523
  input_symbols; 1f522 input_numbers; 1f51a end_arrow; 1f519 back_arrow; 1f51b on_arrow; 1f51d top_arrow; 1f51c
  soon_arrow; 1f507 muted_speaker; 1f1e6-1f1eb af; 1f1e6-1f1fd ax; 1f1e6-1f1f1 al; 1f1e9-1f1ff dz; 1f1e6-1f1f8 as;
  1f1e6-1f1e9 ad; 1f1e6-1f1f4 ao; 1f1e6-1f1ee ai; 1f1e6-1f1f6 aq; 1f1e6-1f1ec ag; 1f1e6-1f1f7 ar; 1f1e6-1f1f2 am;
  1f1e6-1f1fc aw; 1f1e6-1f1fa au; 1f1e6-1f1f9 at; 1f1e6-1f1ff az; 1f1e7-1f1f8 bs; 1f1e7-1f1ed bh; 1f1e7-1f1e9 bd;
  1f1e7-1f1e7 bb; 1f1e7-1f1fe by; 1f1e7-1f1ea be; 1f1e7-1f1ff bz; 1f1e7-1f1ef bj; 1f1e7-1f1f2 bm; 1f1e7-1f1f9 bt;
  1f1e7-1f1f4 bo; 1f1e7-1f1e6 ba; 1f1e7-1f1fc bw; 1f1e7-1f1f7 br; 1f1ee-1f1f4 io; 1f1fb-1f1ec vg; 1f1e7-1f1f3 bn;
  1f1e7-1f1ec bg; 1f1e7-1f1eb bf; 1f1e7-1f1ee bi; 1f1f0-1f1ed kh; 1f1e8-1f1f2 cm; 1f1e8-1f1e6 ca; 1f1ee-1f1e8 ic;
  1f1e8-1f1fb cv; 1f1e7-1f1f6 bq; 1f1f0-1f1fe ky; 1f1e8-1f1eb cf; 1f1f9-1f1e9 td; 1f1e8-1f1fd cx; 1f1e8-1f1e8 cc;
  1f1e8-1f1f4 co; 1f1f0-1f1f2 km; 1f1e8-1f1ec cg; 1f1e8-1f1f0 ck; 1f1e8-1f1f7 cr; 1f1e8-1f1ee ci; 1f1ed-1f1f7 hr;
  1f1e8-1f1fa cu; 1f1e8-1f1fc cw; 1f1e8-1f1fe cy; 1f1e8-1f1ff cz; 1f1e9-1f1f0 dk; 1f1e9-1f1ef dj; 1f1e9-1f1f2 dm;
  1f1e9-1f1f4 do; 1f1ea-1f1e8 ec; 1f1ea-1f1ec eg; 1f1f8-1f1fb sv; 1f1ec-1f1f6 gq; 1f1ea-1f1f7 er; 1f1ea-1f1ea ee;
  1f1ea-1f1f9 et; 1f1ea-1f1fa eu; 1f1eb-1f1f0 fk; 1f1eb-1f1f4 fo; 1f1eb-1f1ef fj; 1f1eb-1f1ee fi; 1f1ec-1f1eb gf;
  1f1f5-1f1eb pf; 1f1f9-1f1eb tf; 1f1ec-1f1e6 ga; 1f1ec-1f1f2 gm; 1f1ec-1f1ea ge; 1f1ec-1f1ed gh; 1f1ec-1f1ee gi;
  1f1ec-1f1f7 gr; 1f1ec-1f1f1 gl; 1f1ec-1f1e9 gd; 1f1ec-1f1f5 gp; 1f1ec-1f1fa gu; 1f1ec-1f1f9 gt; 1f1ec-1f1ec gg;
  1f1ec-1f1f3 gn; 1f1ec-1f1fc gw; 1f1ec-1f1fe gy; 1f1ed-1f1f9 ht; 1f1ed-1f1f3 hn; 1f1ed-1f1f0 hk; 1f1ed-1f1fa hu;
  1f1ee-1f1f8 is; 1f1ee-1f1f3 in; 1f1ee-1f1f7 ir; 1f1ee-1f1f6 iq; 1f1ee-1f1ea ie; 1f1ee-1f1f2 im; 1f1ee-1f1f1 il;
  1f1ef-1f1f2 jm; 1f1ef-1f1ea je; 1f1ef-1f1f4 jo; 1f1f0-1f1ff kz; 1f1f0-1f1ea ke; 1f1f0-1f1ee ki; 1f1fd-1f1f0 xk;
  1f1f0-1f1fc kw; 1f1f0-1f1ec kg; 1f1f1-1f1e6 la; 1f1f1-1f1fb lv; 1f1f1-1f1e7 lb; 1f1f1-1f1f8 ls; 1f1f1-1f1f7 lr;
  1f1f1-1f1fe ly; 1f1f1-1f1ee li; 1f1f1-1f1f9 lt; 1f1f1-1f1fa lu; 1f1f2-1f1f4 mo; 1f1f2-1f1f0 mk; 1f1f2-1f1ec mg;
  1f1f2-1f1fc mw; 1f1f2-1f1fe my; 1f1f2-1f1fb mv; 1f1f2-1f1f1 ml; 1f1f2-1f1f9 mt; 1f1f2-1f1ed mh; 1f1f2-1f1f6 mq;
  1f1f2-1f1f7 mr; 1f1f2-1f1fa mu; 1f1fe-1f1f9 yt; 1f1f2-1f1fd mx; 1f1eb-1f1f2 fm; 1f1f2-1f1e9 md; 1f1f2-1f1e8 mc;
  1f1f2-1f1f3 mn; 1f1f2-1f1ea me; 1f1f2-1f1f8 ms; 1f1f2-1f1e6 ma; 1f1f2-1f1ff mz; 1f1f2-1f1f2 mm; 1f1f3-1f1e6 na;
  1f1f3-1f1f7 nr; 1f1f3-1f1f5 np; 1f1f3-1f1f1 nl; 1f1f3-1f1e8 nc; 1f1f3-1f1ff nz; 1f1f3-1f1ee ni; 1f1f3-1f1ea ne;
  1f1f3-1f1fa nu; 1f1f3-1f1eb nf; 1f1f0-1f1f5 kp; 1f1f2-1f1f5 mp; 1f1f3-1f1f4 no; 1f1f4-1f1f2 om; 1f1f5-1f1f0 pk;
  1f1f5-1f1fc pw; 1f1f5-1f1f8 ps; 1f1f5-1f1e6 pa; 1f1f5-1f1ec pg; 1f1f5-1f1fe py; 1f1f5-1f1ea pe; 1f1f5-1f1ed ph;
  1f1f5-1f1f3 pn; 1f1f5-1f1f1 pl; 1f1f5-1f1f9 pt; 1f1f5-1f1f7 pr; 1f1f6-1f1e6 qa; 1f1f7-1f1ea re; 1f1f7-1f1f4 ro;
  1f1f7-1f1fc rw; 1f1fc-1f1f8 ws; 1f1f8-1f1f2 sm; 1f1f8-1f1f9 st; 1f1f8-1f1f3 sn; 1f1f7-1f1f8 rs; 1f1f8-1f1e8 sc;
  1f1f8-1f1f1 sl; 1f1f8-1f1ec sg; 1f1f8-1f1fd sx; 1f1f8-1f1f0 sk; 1f1f8-1f1ee si; 1f1ec-1f1f8 gs; 1f1f8-1f1e7 sb;
  1f1f8-1f1f4 so; 1f1ff-1f1e6 za; 1f1f8-1f1f8 ss; 1f1f1-1f1f0 lk; 1f1e7-1f1f1 bl; 1f1f8-1f1ed sh; 1f1f0-1f1f3 kn;
  1f1f1-1f1e8 lc; 1f1f5-1f1f2 pm; 1f1fb-1f1e8 vc; 1f1f8-1f1e9 sd; 1f1f8-1f1f7 sr; 1f1f8-1f1ff sz; 1f1f8-1f1ea se;
  1f1e8-1f1ed ch; 1f1f8-1f1fe sy; 1f1f9-1f1fc tw; 1f1f9-1f1ef tj; 1f1f9-1f1ff tz; 1f1f9-1f1ed th; 1f1f9-1f1f1 tl;
  1f1f9-1f1ec tg; 1f1f9-1f1f0 tk; 1f1f9-1f1f4 to; 1f1f9-1f1f9 tt; 1f1f9-1f1f3 tn; 1f1f9-1f1f7 tr; 1f1f9-1f1e8 tc;
  1f1fb-1f1ee vi; 1f1fa-1f1ec ug; 1f1fa-1f1e6 ua; 1f1e6-1f1ea ae; 1f1fa-1f1fe uy; 1f1fa-1f1ff uz; 1f1fb-1f1fa vu;
  1f1fb-1f1e6 va; 1f1fb-1f1ea ve; 1f1fb-1f1f3 vn; 1f1fc-1f1eb wf; 1f1ea-1f1ed eh; 1f1fe-1f1ea ye; 1f1ff-1f1f2 zm;
  1f1ff-1f1fc zw; 1f1e6-1f1e8 ac; 1f1e7-1f1fb bv; 1f1e8-1f1f5 cp; 1f1ea-1f1e6 ea; 1f1e9-1f1ec dg; 1f1ed-1f1f2 hm;
  1f1f2-1f1eb mf; 1f1f8-1f1ef sj; 1f1f9-1f1e6 ta; 1f1fa-1f1f2 um; 1f6eb flight_departure; 1f64d frowning_person; 1f481
  tipping_hand_person; 1f95b milk_glass; 1f6cd shopping; 1f43f squirrel`

const codes = once(() => {
  const entries = table.split(';').flatMap((entry) => {
    const [code = '', ...names] = entry.trim().split(/\s+/)
    return names.map((name) => [name, code] as const)
  })
  return new Map(entries)
})

/** The emoji with this name in other systems, without skin tone. */
export function emojiNamed(name: string): EmojiRef {
  const bare = name.replace(/^:|:$/g, '').replace(/:?:skin-tone-\d[\s\S]*$|_tone\d$/, '')
  const code = codes().get(bare) ?? (emojiByName(bare) === undefined ? codeSpelt(bare) : undefined)
  return code === undefined ? { name: bare } : { code, name: bare }
}

/** Slack has hyphens in many names, where others have underscores. */
const codeSpelt = (name: string) => emojiByName(name.replaceAll('-', '_'))

/** The characters of the emoji with this name in other systems; undefined: unknown. */
export function emojiCharacters(name: string): string | undefined {
  const ref = emojiNamed(name)
  const code = 'code' in ref ? ref.code : 'name' in ref ? emojiByName(ref.name) : undefined
  if (code === undefined) return undefined
  return String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
}
