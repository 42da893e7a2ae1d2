// Written by `make types` from the database; don't edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      account_moderation: {
        Row: {
          suspended_at: string | null;
          suspended_by: string | null;
          suspension_reason: string | null;
          user_id: string;
        };
        Insert: {
          suspended_at?: string | null;
          suspended_by?: string | null;
          suspension_reason?: string | null;
          user_id: string;
        };
        Update: {
          suspended_at?: string | null;
          suspended_by?: string | null;
          suspension_reason?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'account_moderation_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: true;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      admin_audit_log: {
        Row: {
          action: string;
          admin_id: string | null;
          created_at: string;
          details: NonNullable<Json>;
          id: number;
          target_id: string | null;
          target_type: string;
        };
        Insert: {
          action: string;
          admin_id?: string | null;
          created_at?: string;
          details?: NonNullable<Json>;
          id?: never;
          target_id?: string | null;
          target_type: string;
        };
        Update: {
          action?: string;
          admin_id?: string | null;
          created_at?: string;
          details?: NonNullable<Json>;
          id?: never;
          target_id?: string | null;
          target_type?: string;
        };
        Relationships: [];
      };
      agent_posts: {
        Row: {
          agent_id: string;
          auction_date: string | null;
          availability_status: string;
          body: string | null;
          car_name: string;
          cnf_price: number | null;
          color: string | null;
          colour_code: string | null;
          condition: string | null;
          created_at: string;
          description: string | null;
          drive_code: string | null;
          drivetrain: string | null;
          engine_size: string | null;
          features: string[] | null;
          fuel_code: string | null;
          fuel_type: string | null;
          gearbox_code: string | null;
          id: string;
          image_url: string | null;
          image_urls: string[] | null;
          location: string | null;
          mileage_km: number | null;
          model: string;
          specifications: Json | null;
          stock_no: string | null;
          transmission: string | null;
          updated_at: string;
          variant: string | null;
          year: number | null;
          cursor: string | null;
          is_followed: boolean | null;
          is_saved: boolean | null;
        };
        Insert: {
          agent_id: string;
          auction_date?: string | null;
          availability_status?: string;
          body?: string | null;
          car_name: string;
          cnf_price?: number | null;
          color?: string | null;
          colour_code?: never;
          condition?: string | null;
          created_at?: string;
          description?: string | null;
          drive_code?: never;
          drivetrain?: string | null;
          engine_size?: string | null;
          features?: string[] | null;
          fuel_code?: never;
          fuel_type?: string | null;
          gearbox_code?: never;
          id?: string;
          image_url?: string | null;
          image_urls?: string[] | null;
          location?: string | null;
          mileage_km?: number | null;
          model: string;
          specifications?: Json | null;
          stock_no?: string | null;
          transmission?: string | null;
          updated_at?: string;
          variant?: string | null;
          year?: number | null;
        };
        Update: {
          agent_id?: string;
          auction_date?: string | null;
          availability_status?: string;
          body?: string | null;
          car_name?: string;
          cnf_price?: number | null;
          color?: string | null;
          colour_code?: never;
          condition?: string | null;
          created_at?: string;
          description?: string | null;
          drive_code?: never;
          drivetrain?: string | null;
          engine_size?: string | null;
          features?: string[] | null;
          fuel_code?: never;
          fuel_type?: string | null;
          gearbox_code?: never;
          id?: string;
          image_url?: string | null;
          image_urls?: string[] | null;
          location?: string | null;
          mileage_km?: number | null;
          model?: string;
          specifications?: Json | null;
          stock_no?: string | null;
          transmission?: string | null;
          updated_at?: string;
          variant?: string | null;
          year?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: 'agent_posts_agent_id_fkey';
            columns: ['agent_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      agent_verifications: {
        Row: {
          agent_id: string;
          amount_pkr: number;
          bio: string | null;
          company_name: string | null;
          company_proof_name: string | null;
          company_proof_note: string | null;
          company_proof_path: string | null;
          company_proof_status: string;
          documents_checked_at: string | null;
          experience: string | null;
          id: string;
          identity_document_name: string | null;
          identity_document_note: string | null;
          identity_document_path: string | null;
          identity_document_status: string;
          languages: string[] | null;
          payment_claimed: boolean;
          payment_claimed_at: string | null;
          payment_method: string | null;
          payment_note: string | null;
          payment_reference: string | null;
          payment_settled_at: string | null;
          payment_settled_by: string | null;
          payment_status: string;
          picture_path: string | null;
          receipt_name: string | null;
          receipt_path: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          status: string;
          submitted_at: string;
          transfer_reference: string | null;
        };
        Insert: {
          agent_id: string;
          amount_pkr?: number;
          bio?: string | null;
          company_name?: string | null;
          company_proof_name?: string | null;
          company_proof_note?: string | null;
          company_proof_path?: string | null;
          company_proof_status?: string;
          documents_checked_at?: string | null;
          experience?: string | null;
          id?: string;
          identity_document_name?: string | null;
          identity_document_note?: string | null;
          identity_document_path?: string | null;
          identity_document_status?: string;
          languages?: string[] | null;
          payment_claimed?: boolean;
          payment_claimed_at?: string | null;
          payment_method?: string | null;
          payment_note?: string | null;
          payment_reference?: string | null;
          payment_settled_at?: string | null;
          payment_settled_by?: string | null;
          payment_status?: string;
          picture_path?: string | null;
          receipt_name?: string | null;
          receipt_path?: string | null;
          review_note?: string | null;
          reviewed_at?: string | null;
          reviewed_by?: string | null;
          status?: string;
          submitted_at?: string;
          transfer_reference?: never;
        };
        Update: {
          agent_id?: string;
          amount_pkr?: number;
          bio?: string | null;
          company_name?: string | null;
          company_proof_name?: string | null;
          company_proof_note?: string | null;
          company_proof_path?: string | null;
          company_proof_status?: string;
          documents_checked_at?: string | null;
          experience?: string | null;
          id?: string;
          identity_document_name?: string | null;
          identity_document_note?: string | null;
          identity_document_path?: string | null;
          identity_document_status?: string;
          languages?: string[] | null;
          payment_claimed?: boolean;
          payment_claimed_at?: string | null;
          payment_method?: string | null;
          payment_note?: string | null;
          payment_reference?: string | null;
          payment_settled_at?: string | null;
          payment_settled_by?: string | null;
          payment_status?: string;
          picture_path?: string | null;
          receipt_name?: string | null;
          receipt_path?: string | null;
          review_note?: string | null;
          reviewed_at?: string | null;
          reviewed_by?: string | null;
          status?: string;
          submitted_at?: string;
          transfer_reference?: never;
        };
        Relationships: [
          {
            foreignKeyName: 'agent_verifications_agent_id_fkey';
            columns: ['agent_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      app_settings: {
        Row: {
          key: string;
          value: NonNullable<Json>;
        };
        Insert: {
          key: string;
          value: NonNullable<Json>;
        };
        Update: {
          key?: string;
          value?: NonNullable<Json>;
        };
        Relationships: [];
      };
      car_requests: {
        Row: {
          budget_max: number | null;
          budget_min: number | null;
          car_make: string;
          car_model: string;
          condition: string | null;
          created_at: string;
          description: string | null;
          fuel_type: string | null;
          id: string;
          importer_id: string;
          is_flexible_budget: boolean;
          is_flexible_year: boolean;
          shipping_port: string | null;
          status: string;
          transmission: string | null;
          updated_at: string;
          urgency: string;
          year_range: string | null;
          cursor: string | null;
          own_invitation: Json | null;
          responses: number | null;
        };
        Insert: {
          budget_max?: number | null;
          budget_min?: number | null;
          car_make: string;
          car_model: string;
          condition?: string | null;
          created_at?: string;
          description?: string | null;
          fuel_type?: string | null;
          id?: string;
          importer_id: string;
          is_flexible_budget?: boolean;
          is_flexible_year?: boolean;
          shipping_port?: string | null;
          status?: string;
          transmission?: string | null;
          updated_at?: string;
          urgency?: string;
          year_range?: string | null;
        };
        Update: {
          budget_max?: number | null;
          budget_min?: number | null;
          car_make?: string;
          car_model?: string;
          condition?: string | null;
          created_at?: string;
          description?: string | null;
          fuel_type?: string | null;
          id?: string;
          importer_id?: string;
          is_flexible_budget?: boolean;
          is_flexible_year?: boolean;
          shipping_port?: string | null;
          status?: string;
          transmission?: string | null;
          updated_at?: string;
          urgency?: string;
          year_range?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'car_requests_importer_id_fkey';
            columns: ['importer_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      conversation_reports: {
        Row: {
          counterpart_id: string | null;
          created_at: string;
          id: string;
          reason: string;
          reporter_id: string | null;
          status: string;
        };
        Insert: {
          counterpart_id?: string | null;
          created_at?: string;
          id?: string;
          reason: string;
          reporter_id?: string | null;
          status?: string;
        };
        Update: {
          counterpart_id?: string | null;
          created_at?: string;
          id?: string;
          reason?: string;
          reporter_id?: string | null;
          status?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'conversation_reports_counterpart_id_fkey';
            columns: ['counterpart_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
          {
            foreignKeyName: 'conversation_reports_reporter_id_fkey';
            columns: ['reporter_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      conversations: {
        Row: {
          conversation_id: string;
          last_at: string;
          last_message_id: string;
          unread: number;
          user_id: string;
        };
        Insert: {
          conversation_id: string;
          last_at: string;
          last_message_id: string;
          unread?: number;
          user_id: string;
        };
        Update: {
          conversation_id?: string;
          last_at?: string;
          last_message_id?: string;
          unread?: number;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'conversations_last_message_id_fkey';
            columns: ['last_message_id'];
            isOneToOne: false;
            referencedRelation: 'messages';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'conversations_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      deals: {
        Row: {
          agent_id: string | null;
          category: string | null;
          completed_at: string | null;
          country: string | null;
          id: string;
          importer_id: string | null;
          invitation_id: string | null;
          make: string | null;
          model: string | null;
          opened_at: string;
          party_left: boolean;
          request_id: string | null;
          satisfaction: number | null;
          status: string;
          value_usd: number | null;
        };
        Insert: {
          agent_id?: string | null;
          category?: string | null;
          completed_at?: string | null;
          country?: string | null;
          id?: string;
          importer_id?: string | null;
          invitation_id?: string | null;
          make?: string | null;
          model?: string | null;
          opened_at?: string;
          party_left?: boolean;
          request_id?: string | null;
          satisfaction?: number | null;
          status?: string;
          value_usd?: number | null;
        };
        Update: {
          agent_id?: string | null;
          category?: string | null;
          completed_at?: string | null;
          country?: string | null;
          id?: string;
          importer_id?: string | null;
          invitation_id?: string | null;
          make?: string | null;
          model?: string | null;
          opened_at?: string;
          party_left?: boolean;
          request_id?: string | null;
          satisfaction?: number | null;
          status?: string;
          value_usd?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: 'deals_agent_id_fkey';
            columns: ['agent_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
          {
            foreignKeyName: 'deals_importer_id_fkey';
            columns: ['importer_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
          {
            foreignKeyName: 'deals_invitation_id_fkey';
            columns: ['invitation_id'];
            isOneToOne: true;
            referencedRelation: 'invitations';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'deals_request_id_fkey';
            columns: ['request_id'];
            isOneToOne: false;
            referencedRelation: 'car_requests';
            referencedColumns: ['id'];
          },
        ];
      };
      dispute_statements: {
        Row: {
          author_id: string | null;
          body: string;
          created_at: string;
          dispute_id: string;
          evidence: NonNullable<Json>;
          id: string;
        };
        Insert: {
          author_id?: string | null;
          body: string;
          created_at?: string;
          dispute_id: string;
          evidence?: NonNullable<Json>;
          id?: string;
        };
        Update: {
          author_id?: string | null;
          body?: string;
          created_at?: string;
          dispute_id?: string;
          evidence?: NonNullable<Json>;
          id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'dispute_statements_author_id_fkey';
            columns: ['author_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
          {
            foreignKeyName: 'dispute_statements_dispute_id_fkey';
            columns: ['dispute_id'];
            isOneToOne: false;
            referencedRelation: 'disputes';
            referencedColumns: ['id'];
          },
        ];
      };
      disputes: {
        Row: {
          by_team: boolean;
          created_at: string;
          deal_id: string;
          id: string;
          outcome: string | null;
          raised_by: string | null;
          reason: string;
          request_id: string | null;
          settled_at: string | null;
          status: string;
          ticket_id: string | null;
        };
        Insert: {
          by_team?: boolean;
          created_at?: string;
          deal_id: string;
          id?: string;
          outcome?: string | null;
          raised_by?: string | null;
          reason: string;
          request_id?: string | null;
          settled_at?: string | null;
          status?: string;
          ticket_id?: string | null;
        };
        Update: {
          by_team?: boolean;
          created_at?: string;
          deal_id?: string;
          id?: string;
          outcome?: string | null;
          raised_by?: string | null;
          reason?: string;
          request_id?: string | null;
          settled_at?: string | null;
          status?: string;
          ticket_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'disputes_deal_id_fkey';
            columns: ['deal_id'];
            isOneToOne: false;
            referencedRelation: 'deals';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'disputes_raised_by_fkey';
            columns: ['raised_by'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
          {
            foreignKeyName: 'disputes_request_id_fkey';
            columns: ['request_id'];
            isOneToOne: false;
            referencedRelation: 'car_requests';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'disputes_ticket_id_fkey';
            columns: ['ticket_id'];
            isOneToOne: false;
            referencedRelation: 'support_tickets';
            referencedColumns: ['id'];
          },
        ];
      };
      follows: {
        Row: {
          created_at: string;
          follower_id: string;
          following_id: string;
        };
        Insert: {
          created_at?: string;
          follower_id: string;
          following_id: string;
        };
        Update: {
          created_at?: string;
          follower_id?: string;
          following_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'follows_follower_id_fkey';
            columns: ['follower_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
          {
            foreignKeyName: 'follows_following_id_fkey';
            columns: ['following_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      invitations: {
        Row: {
          agent_id: string;
          created_at: string;
          id: string;
          importer_id: string;
          is_assigned: boolean;
          message: string | null;
          request_id: string | null;
          responded_at: string | null;
          response_message: string | null;
          status: string;
          updated_at: string;
          deal_state: Json | null;
          is_running: boolean | null;
        };
        Insert: {
          agent_id: string;
          created_at?: string;
          id?: string;
          importer_id: string;
          is_assigned?: boolean;
          message?: string | null;
          request_id?: string | null;
          responded_at?: string | null;
          response_message?: string | null;
          status?: string;
          updated_at?: string;
        };
        Update: {
          agent_id?: string;
          created_at?: string;
          id?: string;
          importer_id?: string;
          is_assigned?: boolean;
          message?: string | null;
          request_id?: string | null;
          responded_at?: string | null;
          response_message?: string | null;
          status?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'invitations_agent_id_fkey';
            columns: ['agent_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
          {
            foreignKeyName: 'invitations_importer_id_fkey';
            columns: ['importer_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
          {
            foreignKeyName: 'invitations_request_id_fkey';
            columns: ['request_id'];
            isOneToOne: false;
            referencedRelation: 'car_requests';
            referencedColumns: ['id'];
          },
        ];
      };
      lost_saves: {
        Row: {
          car_name: string;
          id: string;
          lost_at: string;
          model: string;
          user_id: string;
        };
        Insert: {
          car_name: string;
          id?: string;
          lost_at?: string;
          model: string;
          user_id: string;
        };
        Update: {
          car_name?: string;
          id?: string;
          lost_at?: string;
          model?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'lost_saves_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      member_standing: {
        Row: {
          changed_at: string;
          is_suspended: boolean;
          user_id: string;
        };
        Insert: {
          changed_at?: string;
          is_suspended: boolean;
          user_id: string;
        };
        Update: {
          changed_at?: string;
          is_suspended?: boolean;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'member_standing_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: true;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      messages: {
        Row: {
          content: string;
          conversation_id: string;
          created_at: string;
          id: string;
          is_read: boolean;
          receiver_id: string | null;
          sender_id: string | null;
          conversation: {
            conversation_id: string;
            last_at: string;
            last_message_id: string;
            unread: number;
            user_id: string;
          } | null;
        };
        Insert: {
          content: string;
          conversation_id?: string;
          created_at?: string;
          id?: string;
          is_read?: boolean;
          receiver_id?: string | null;
          sender_id?: string | null;
        };
        Update: {
          content?: string;
          conversation_id?: string;
          created_at?: string;
          id?: string;
          is_read?: boolean;
          receiver_id?: string | null;
          sender_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'messages_receiver_id_fkey';
            columns: ['receiver_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
          {
            foreignKeyName: 'messages_sender_id_fkey';
            columns: ['sender_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      notification_outbox: {
        Row: {
          attempts: number;
          channel: string;
          claimed_at: string | null;
          created_at: string;
          due_at: string;
          error: string | null;
          given_up_at: string | null;
          id: number;
          kind: string;
          payload: NonNullable<Json>;
          sent_at: string | null;
          tried_at: string | null;
          user_id: string;
        };
        Insert: {
          attempts?: number;
          channel: string;
          claimed_at?: string | null;
          created_at?: string;
          due_at?: string;
          error?: string | null;
          given_up_at?: string | null;
          id?: never;
          kind: string;
          payload?: NonNullable<Json>;
          sent_at?: string | null;
          tried_at?: string | null;
          user_id: string;
        };
        Update: {
          attempts?: number;
          channel?: string;
          claimed_at?: string | null;
          created_at?: string;
          due_at?: string;
          error?: string | null;
          given_up_at?: string | null;
          id?: never;
          kind?: string;
          payload?: NonNullable<Json>;
          sent_at?: string | null;
          tried_at?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'notification_outbox_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      notification_preferences: {
        Row: {
          agent_proposal_alerts: boolean;
          email: boolean;
          muted_mails: string[];
          new_request_alerts: boolean;
          sms: boolean;
          updated_at: string;
          user_id: string;
        };
        Insert: {
          agent_proposal_alerts?: boolean;
          email?: boolean;
          muted_mails?: string[];
          new_request_alerts?: boolean;
          sms?: boolean;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          agent_proposal_alerts?: boolean;
          email?: boolean;
          muted_mails?: string[];
          new_request_alerts?: boolean;
          sms?: boolean;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'notification_preferences_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: true;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      profiles: {
        Row: {
          account_type: string;
          allow_invitations: boolean;
          avatar_url: string | null;
          bio: string | null;
          budget_range: string | null;
          city: string | null;
          company_name: string | null;
          country: string | null;
          created_at: string;
          experience: string | null;
          full_name: string | null;
          id: string;
          import_frequency: string | null;
          interested_car_brands: string[] | null;
          is_confirmed: boolean;
          languages_spoken: string[] | null;
          phone: string | null;
          shipping_ports: string[] | null;
          show_phone: boolean;
          specialties: string[] | null;
          status: string;
          updated_at: string;
          user_id: string;
          user_type: string;
          verification_status: string;
          verified_at: string | null;
          cursor: string | null;
        };
        Insert: {
          account_type?: string;
          allow_invitations?: boolean;
          avatar_url?: string | null;
          bio?: string | null;
          budget_range?: string | null;
          city?: string | null;
          company_name?: string | null;
          country?: string | null;
          created_at?: string;
          experience?: string | null;
          full_name?: string | null;
          id?: string;
          import_frequency?: string | null;
          interested_car_brands?: string[] | null;
          is_confirmed?: boolean;
          languages_spoken?: string[] | null;
          phone?: string | null;
          shipping_ports?: string[] | null;
          show_phone?: boolean;
          specialties?: string[] | null;
          status?: string;
          updated_at?: string;
          user_id: string;
          user_type: string;
          verification_status?: string;
          verified_at?: string | null;
        };
        Update: {
          account_type?: string;
          allow_invitations?: boolean;
          avatar_url?: string | null;
          bio?: string | null;
          budget_range?: string | null;
          city?: string | null;
          company_name?: string | null;
          country?: string | null;
          created_at?: string;
          experience?: string | null;
          full_name?: string | null;
          id?: string;
          import_frequency?: string | null;
          interested_car_brands?: string[] | null;
          is_confirmed?: boolean;
          languages_spoken?: string[] | null;
          phone?: string | null;
          shipping_ports?: string[] | null;
          show_phone?: boolean;
          specialties?: string[] | null;
          status?: string;
          updated_at?: string;
          user_id?: string;
          user_type?: string;
          verification_status?: string;
          verified_at?: string | null;
        };
        Relationships: [];
      };
      request_cases: {
        Row: {
          assigned_agent_id: string | null;
          dispute_reason: string | null;
          evidence: NonNullable<Json>;
          notes: NonNullable<Json>;
          priority: string;
          progress: number;
          request_id: string;
          status: string;
          updated_at: string;
        };
        Insert: {
          assigned_agent_id?: string | null;
          dispute_reason?: string | null;
          evidence?: NonNullable<Json>;
          notes?: NonNullable<Json>;
          priority?: string;
          progress?: number;
          request_id: string;
          status: string;
          updated_at?: string;
        };
        Update: {
          assigned_agent_id?: string | null;
          dispute_reason?: string | null;
          evidence?: NonNullable<Json>;
          notes?: NonNullable<Json>;
          priority?: string;
          progress?: number;
          request_id?: string;
          status?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'request_cases_assigned_agent_id_fkey';
            columns: ['assigned_agent_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
          {
            foreignKeyName: 'request_cases_request_id_fkey';
            columns: ['request_id'];
            isOneToOne: true;
            referencedRelation: 'car_requests';
            referencedColumns: ['id'];
          },
        ];
      };
      reviews: {
        Row: {
          comment: string | null;
          created_at: string;
          id: string;
          rating: number;
          reviewed_id: string;
          reviewer_id: string | null;
          updated_at: string;
        };
        Insert: {
          comment?: string | null;
          created_at?: string;
          id?: string;
          rating: number;
          reviewed_id: string;
          reviewer_id?: string | null;
          updated_at?: string;
        };
        Update: {
          comment?: string | null;
          created_at?: string;
          id?: string;
          rating?: number;
          reviewed_id?: string;
          reviewer_id?: string | null;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'reviews_reviewed_id_fkey';
            columns: ['reviewed_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
          {
            foreignKeyName: 'reviews_reviewer_id_fkey';
            columns: ['reviewer_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      saved_posts: {
        Row: {
          created_at: string;
          id: string;
          post_id: string;
          user_id: string;
        };
        Insert: {
          created_at?: string;
          id?: string;
          post_id: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          post_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'saved_posts_post_id_fkey';
            columns: ['post_id'];
            isOneToOne: false;
            referencedRelation: 'agent_posts';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'saved_posts_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      support_tickets: {
        Row: {
          assigned_to: string | null;
          body: string;
          category: string;
          created_at: string;
          id: string;
          priority: string;
          status: string;
          subject: string;
          tags: string[];
          updated_at: string;
          user_id: string | null;
        };
        Insert: {
          assigned_to?: string | null;
          body: string;
          category?: string;
          created_at?: string;
          id?: string;
          priority?: string;
          status?: string;
          subject: string;
          tags?: string[];
          updated_at?: string;
          user_id?: string | null;
        };
        Update: {
          assigned_to?: string | null;
          body?: string;
          category?: string;
          created_at?: string;
          id?: string;
          priority?: string;
          status?: string;
          subject?: string;
          tags?: string[];
          updated_at?: string;
          user_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'support_tickets_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      ticket_messages: {
        Row: {
          author_id: string | null;
          body: string;
          created_at: string;
          id: string;
          ticket_id: string;
        };
        Insert: {
          author_id?: string | null;
          body: string;
          created_at?: string;
          id?: string;
          ticket_id: string;
        };
        Update: {
          author_id?: string | null;
          body?: string;
          created_at?: string;
          id?: string;
          ticket_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'ticket_messages_ticket_id_fkey';
            columns: ['ticket_id'];
            isOneToOne: false;
            referencedRelation: 'support_tickets';
            referencedColumns: ['id'];
          },
        ];
      };
      user_activity: {
        Row: {
          day: string;
          user_id: string;
        };
        Insert: {
          day: string;
          user_id: string;
        };
        Update: {
          day?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'user_activity_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      vehicle_categories: {
        Row: {
          category: string;
          make: string;
          model_pattern: string;
        };
        Insert: {
          category: string;
          make: string;
          model_pattern: string;
        };
        Update: {
          category?: string;
          make?: string;
          model_pattern?: string;
        };
        Relationships: [];
      };
    };
    Views: {
      [_ in never]: never;
    };
    Functions: {
      admin_activity: {
        Args: { p_limit?: number };
        Returns: {
          actor: string;
          at: string;
          details: Json;
          kind: string;
          target_id: string;
          target_type: string;
        }[];
      };
      admin_agents: {
        Args: {
          p_after?: string;
          p_brief?: boolean;
          p_descending?: boolean;
          p_id?: string;
          p_limit?: number;
          p_offset?: number;
          p_order?: string;
          p_search?: string;
          p_status?: string;
        };
        Returns: Json;
      };
      admin_analytics: {
        Args: { p_from?: string; p_to?: string };
        Returns: Json;
      };
      admin_audit: {
        Args: {
          p_after?: string;
          p_descending?: boolean;
          p_from?: string;
          p_id?: string;
          p_limit?: number;
          p_search?: string;
          p_status?: string;
          p_to?: string;
          p_who?: string;
        };
        Returns: Json;
      };
      admin_changes: {
        Args: { p: Json; p_list: string; p_seconds: number; p_shown?: string[] };
        Returns: Json;
      };
      admin_communication_stats: {
        Args: Record<PropertyKey, never>;
        Returns: Json;
      };
      admin_conversation_open: { Args: { p_report: string }; Returns: Json };
      admin_conversations: {
        Args: {
          p_after?: string;
          p_brief?: boolean;
          p_descending?: boolean;
          p_id?: string;
          p_limit?: number;
          p_offset?: number;
          p_order?: string;
          p_search?: string;
          p_status?: string;
        };
        Returns: Json;
      };
      admin_importers: {
        Args: {
          p_after?: string;
          p_brief?: boolean;
          p_descending?: boolean;
          p_id?: string;
          p_limit?: number;
          p_offset?: number;
          p_order?: string;
          p_search?: string;
          p_status?: string;
        };
        Returns: Json;
      };
      admin_mail_action: {
        Args: { p_action: string; p_mail: number };
        Returns: undefined;
      };
      admin_mails: {
        Args: {
          p_after?: string;
          p_brief?: boolean;
          p_descending?: boolean;
          p_id?: string;
          p_limit?: number;
          p_offset?: number;
          p_order?: string;
          p_search?: string;
          p_status?: string;
        };
        Returns: Json;
      };
      admin_mark_payment: {
        Args: {
          p_agent: string;
          p_reason?: string;
          p_reference?: string;
          p_status: string;
        };
        Returns: undefined;
      };
      admin_open_document: {
        Args: { p_document: string; p_path: string; p_submission: string };
        Returns: undefined;
      };
      admin_opened_documents: {
        Args: { p_submission: string };
        Returns: string[];
      };
      admin_overview: { Args: Record<PropertyKey, never>; Returns: Json };
      admin_request_action: {
        Args: { p_action: string; p_args?: Json; p_request: string };
        Returns: Json;
      };
      admin_requests: {
        Args: {
          p_after?: string;
          p_brief?: boolean;
          p_descending?: boolean;
          p_id?: string;
          p_limit?: number;
          p_offset?: number;
          p_order?: string;
          p_search?: string;
          p_status?: string;
        };
        Returns: Json;
      };
      admin_review_agent: {
        Args: {
          p_agent: string;
          p_decision: string;
          p_documents?: Json;
          p_note?: string;
        };
        Returns: undefined;
      };
      admin_set_account_status: {
        Args: { p_reason?: string; p_status: string; p_user: string };
        Returns: undefined;
      };
      admin_set_account_type: {
        Args: { p_type: string; p_user: string };
        Returns: undefined;
      };
      admin_ticket_action: {
        Args: { p_action: string; p_text?: string; p_ticket: string };
        Returns: string;
      };
      admin_tickets: {
        Args: {
          p_after?: string;
          p_brief?: boolean;
          p_descending?: boolean;
          p_id?: string;
          p_limit?: number;
          p_offset?: number;
          p_order?: string;
          p_search?: string;
          p_status?: string;
        };
        Returns: Json;
      };
      agent_directory: {
        Args: {
          p_city?: string;
          p_cursor?: string;
          p_limit?: number;
          p_search?: string;
          p_specialty?: string;
        };
        Returns: {
          active_deals: number;
          avatar_url: string;
          bio: string;
          city: string;
          company_name: string;
          country: string;
          created_at: string;
          cursor: string;
          experience: string;
          full_name: string;
          id: string;
          languages_spoken: string[];
          rating: number;
          response_time: string;
          reviews_count: number;
          specialties: string[];
          total: number;
          user_id: string;
          verification_status: string;
          verified_at: string;
        }[];
      };
      agent_waiting: { Args: Record<PropertyKey, never>; Returns: Json };
      answer_dispute: {
        Args: { p_dispute: string; p_evidence?: Json; p_statement: string };
        Returns: string;
      };
      choose_mail: {
        Args: { p_token: string; p_wanted?: boolean };
        Returns: Json;
      };
      complete_request: {
        Args: {
          p_invitation: string;
          p_request: string;
          p_satisfaction?: number;
          p_value: number;
        };
        Returns: string;
      };
      conversation: {
        Args: { '': Database['public']['Tables']['messages']['Row'] };
        Returns: {
          conversation_id: string;
          last_at: string;
          last_message_id: string;
          unread: number;
          user_id: string;
        };
        SetofOptions: {
          from: 'messages';
          to: 'conversations';
          isOneToOne: true;
          isSetofReturn: true;
        };
      };
      count_importers: { Args: { p?: Json }; Returns: Json };
      count_offers: { Args: { p?: Json }; Returns: Json };
      count_requests: { Args: { p?: Json }; Returns: Json };
      cursor:
        | {
            Args: { '': Database['public']['Tables']['agent_posts']['Row'] };
            Returns: {
              error: true;
            } & 'the function public.cursor with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache';
          }
        | {
            Args: { '': Database['public']['Tables']['car_requests']['Row'] };
            Returns: {
              error: true;
            } & 'the function public.cursor with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache';
          }
        | {
            Args: { '': Database['public']['Tables']['profiles']['Row'] };
            Returns: {
              error: true;
            } & 'the function public.cursor with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache';
          };
      deal_state: {
        Args: { '': Database['public']['Tables']['invitations']['Row'] };
        Returns: {
          error: true;
        } & 'the function public.deal_state with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache';
      };
      delete_own_account: {
        Args: Record<PropertyKey, never>;
        Returns: undefined;
      };
      invitation_changes: {
        Args: {
          p_request?: string;
          p_seconds: number;
          p_shown?: string[];
          p_status?: string;
        };
        Returns: Json;
      };
      invitation_counts: { Args: Record<PropertyKey, never>; Returns: Json };
      is_followed: {
        Args: { '': Database['public']['Tables']['agent_posts']['Row'] };
        Returns: {
          error: true;
        } & 'the function public.is_followed with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache';
      };
      is_running: {
        Args: { '': Database['public']['Tables']['invitations']['Row'] };
        Returns: {
          error: true;
        } & 'the function public.is_running with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache';
      };
      is_saved: {
        Args: { '': Database['public']['Tables']['agent_posts']['Row'] };
        Returns: {
          error: true;
        } & 'the function public.is_saved with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache';
      };
      mail_choice: { Args: { p_token: string }; Returns: Json };
      member_figures: {
        Args: { p_member: string };
        Returns: {
          completed_deals: number;
          open_deals: number;
          response_time: string;
        }[];
      };
      offer_changes: {
        Args: { p: Json; p_seconds: number; p_shown?: string[] };
        Returns: Json;
      };
      offer_facets: { Args: { p?: Json }; Returns: Json };
      offer_marks: { Args: { p_shown: string[] }; Returns: Json };
      own_invitation: {
        Args: { '': Database['public']['Tables']['car_requests']['Row'] };
        Returns: {
          error: true;
        } & 'the function public.own_invitation with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache';
      };
      own_suspension: {
        Args: Record<PropertyKey, never>;
        Returns: {
          reason: string;
          since: string;
        }[];
      };
      public_config: { Args: Record<PropertyKey, never>; Returns: Json };
      raise_dispute: {
        Args: {
          p_evidence?: Json;
          p_invitation: string;
          p_reason: string;
          p_statement: string;
        };
        Returns: string;
      };
      report_conversation: {
        Args: { p_counterpart: string; p_reason: string };
        Returns: string;
      };
      request_changes: {
        Args: { p: Json; p_seconds: number; p_shown?: string[] };
        Returns: Json;
      };
      responses: {
        Args: { '': Database['public']['Tables']['car_requests']['Row'] };
        Returns: {
          error: true;
        } & 'the function public.responses with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache';
      };
      review_changes: {
        Args: {
          p_member: string;
          p_seconds: number;
          p_shown?: string[];
          p_side: string;
        };
        Returns: Json;
      };
      review_figures: { Args: { p_member: string }; Returns: Json };
      search_conversations: {
        Args: { q: string };
        Returns: {
          content: string;
          conversation_id: string;
          created_at: string;
          id: string;
          is_read: boolean;
          receiver_id: string | null;
          sender_id: string | null;
        }[];
        SetofOptions: {
          from: '*';
          to: 'messages';
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      search_importers: {
        Args: { p?: Json };
        Returns: {
          account_type: string;
          allow_invitations: boolean;
          avatar_url: string | null;
          bio: string | null;
          budget_range: string | null;
          city: string | null;
          company_name: string | null;
          country: string | null;
          created_at: string;
          experience: string | null;
          full_name: string | null;
          id: string;
          import_frequency: string | null;
          interested_car_brands: string[] | null;
          is_confirmed: boolean;
          languages_spoken: string[] | null;
          phone: string | null;
          shipping_ports: string[] | null;
          show_phone: boolean;
          specialties: string[] | null;
          status: string;
          updated_at: string;
          user_id: string;
          user_type: string;
          verification_status: string;
          verified_at: string | null;
        }[];
        SetofOptions: {
          from: '*';
          to: 'profiles';
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      search_offers: {
        Args: { p?: Json };
        Returns: {
          agent: Json;
          agent_id: string;
          auction_date: string;
          availability_status: string;
          body: string;
          car_name: string;
          cnf_price: number;
          color: string;
          condition: string;
          created_at: string;
          cursor: string;
          description: string;
          drivetrain: string;
          engine_size: string;
          fuel_type: string;
          id: string;
          image_url: string;
          is_followed: boolean;
          is_saved: boolean;
          location: string;
          mileage_km: number;
          model: string;
          transmission: string;
          variant: string;
          year: number;
        }[];
      };
      search_requests: {
        Args: { p?: Json };
        Returns: {
          budget_max: number;
          budget_min: number;
          car_make: string;
          car_model: string;
          condition: string;
          created_at: string;
          cursor: string;
          description: string;
          fuel_type: string;
          id: string;
          importer: Json;
          importer_id: string;
          is_flexible_budget: boolean;
          is_flexible_year: boolean;
          own_invitation: Json;
          responses: number;
          shipping_port: string;
          status: string;
          transmission: string;
          updated_at: string;
          urgency: string;
          year_range: string;
        }[];
      };
      standing_changes: {
        Args: { p_seconds: number };
        Returns: {
          is_suspended: boolean;
          user_id: string;
        }[];
      };
      submit_agent_verification: { Args: { p: Json }; Returns: string };
      verification_reference: {
        Args: Record<PropertyKey, never>;
        Returns: string;
      };
    };
    Enums: {
      [_ in never]: never;
    };
    CompositeTypes: {
      [_ in never]: never;
    };
  };
};

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>;

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, 'public'>];

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    keyof (DefaultSchema['Tables'] & DefaultSchema['Views']) | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals;
}
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])[TableName] extends {
      Row: infer R;
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    ? (DefaultSchema['Tables'] & DefaultSchema['Views'])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R;
      }
      ? R
      : never
    : never;

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    keyof DefaultSchema['Tables'] | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals;
}
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Insert: infer I;
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I;
      }
      ? I
      : never
    : never;

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    keyof DefaultSchema['Tables'] | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals;
}
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Update: infer U;
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U;
      }
      ? U
      : never
    : never;

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    keyof DefaultSchema['Enums'] | { schema: keyof DatabaseWithoutInternals },
  EnumName extends (DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums']
    : never) = never,
> = DefaultSchemaEnumNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals;
}
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums'][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema['Enums']
    ? DefaultSchema['Enums'][DefaultSchemaEnumNameOrOptions]
    : never;

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    keyof DefaultSchema['CompositeTypes'] | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends (PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes']
    : never) = never,
> = PublicCompositeTypeNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals;
}
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes'][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema['CompositeTypes']
    ? DefaultSchema['CompositeTypes'][PublicCompositeTypeNameOrOptions]
    : never;

export const Constants = {
  public: {
    Enums: {},
  },
} as const;
